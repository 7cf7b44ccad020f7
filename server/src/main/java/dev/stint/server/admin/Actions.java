package dev.stint.server.admin;

import dev.stint.algorithm.Operation;
import dev.stint.server.engine.Engine;
import dev.stint.server.engine.Exceptions;
import dev.stint.server.engine.Policy;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Does what an operator wants done to a key, and writes down that it was done. */
final class Actions {

  /** Its own logger, so that it can be kept apart from all else. */
  private static final Logger AUDIT = System.getLogger("dev.stint.server.audit");

  private static final int LONGEST_SHOWN = 200;

  private final Engine engine;
  private final int longestKey;
  private final boolean hashesKeys;

  /**
   * Actions on this engine.
   *
   * @param hashesKeys whether no key is to be shown, whatever its policy says
   */
  Actions(Engine engine, int longestKey, boolean hashesKeys) {
    this.engine = engine;
    this.longestKey = longestKey;
    this.hashesKeys = hashesKeys;
  }

  /**
   * Does it, and answers with a sentence as JSON, maybe from a foreign thread.
   *
   * @param from the address of who wants it
   * @throws BadAsk if it cannot be done
   */
  CompletionStage<String> run(Order order, String from) {
    return done(order, from)
        .thenApply(sentence -> Json.of(json -> json.writeStringField("done", sentence)));
  }

  private CompletionStage<String> done(Order order, String from) {
    if (order.action().equals(Order.LIFT)) {
      return CompletableFuture.completedFuture(lift(order, from));
    }
    Policy policy = Asked.policy(engine.policies(), order.policy());
    byte[] key = Asked.key(order.key(), longestKey);
    return order.action().equals(Order.RESET)
        ? reset(policy, key, from)
        : CompletableFuture.completedFuture(except(order, policy, key, from));
  }

  private CompletionStage<String> reset(Policy policy, byte[] key, String from) {
    String what = shown(policy, key);
    return engine
        .tell(Operation.RESET, policy, key, 1)
        .thenApply(
            state -> {
              audit("reset of " + what, from);
              return "The counts of " + what + " are reset.";
            });
  }

  private String except(Order order, Policy policy, byte[] key, String from) {
    boolean blocks = order.action().equals(Order.BLOCK);
    if (blocks && policy.isShadow()) {
      throw new BadAsk(
          400,
          "a policy that only watches refuses nobody, so there is nothing to block: give "
              + policy.name()
              + " the mode enforce first");
    }
    Duration length = Duration.ofSeconds(order.seconds());
    try {
      engine
          .exceptions()
          .put(policy.name(), key, blocks ? Exceptions.Kind.BLOCK : Exceptions.Kind.GRANT, length);
    } catch (IllegalStateException e) {
      throw new BadAsk(400, String.valueOf(e.getMessage()));
    }
    String what = shown(policy, key);
    audit(order.action() + " of " + what + " for " + order.seconds() + " s", from);
    return blocks
        ? "This instance refuses " + what + " for " + order.seconds() + " s."
        : "This instance never refuses " + what + " for " + order.seconds() + " s.";
  }

  /** The policy may be gone already, and a key that is shown as a hash is known by that as well. */
  private String lift(Order order, String from) {
    byte[] key = Asked.key(order.key(), longestKey);
    String name = order.policy() == null ? "" : order.policy();
    for (Exceptions.Entry entry : engine.exceptions().all()) {
      boolean isMeant =
          entry.policy().equals(name)
              && (Arrays.equals(entry.key(), key)
                  || AdminPages.hash(entry.key()).equals(order.key()));
      if (isMeant && engine.exceptions().lift(name, entry.key())) {
        String what = shown(name, entry.key(), hides(name));
        audit("lift of " + what, from);
        return "Nothing but its policy holds for " + what + " any more.";
      }
    }
    throw new BadAsk(400, "there must be a grant or block of this key to lift, was none");
  }

  private boolean hides(String policy) {
    return hashesKeys || AdminPages.hides(engine.policies(), policy);
  }

  private String shown(Policy policy, byte[] key) {
    return shown(policy.name(), key, hides(policy.name()));
  }

  private static String shown(String policy, byte[] key, boolean hides) {
    String text = hides ? AdminPages.hash(key) : new String(key, StandardCharsets.UTF_8);
    String clipped = text.length() <= LONGEST_SHOWN ? text : text.substring(0, LONGEST_SHOWN) + "…";
    return "'" + plain(clipped) + "'" + (hides ? " (a hash)" : "") + " in " + policy;
  }

  /** Others choose keys; none shall end its quotation, or the line, to write something else. */
  private static String plain(String text) {
    StringBuilder plain = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean spoils =
          switch (Character.getType(c)) {
            case Character.CONTROL,
                Character.FORMAT,
                Character.LINE_SEPARATOR,
                Character.PARAGRAPH_SEPARATOR ->
                true;
            default -> c == '\'' || c == '\\';
          };
      plain.append(spoils ? "\\u" + HexFormat.of().toHexDigits(c) : String.valueOf(c));
    }
    return plain.toString();
  }

  private static void audit(String what, String from) {
    AUDIT.log(Level.INFO, "{0}, by {1}", what, from);
  }
}
