package dev.stint.http;

import dev.stint.Decision;
import dev.stint.Key;
import dev.stint.KeyedLimit;
import dev.stint.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Decides about calls that are not requests, such as those of a method, by rules whose keys and
 * costs the caller has found. Everything else is as with an {@link HttpLimiter}: all rules are
 * decided together, and the answer has the headers and the refusal that a response would need.
 *
 * <p>What rules say about requests (patterns, key sources, costs) has no meaning here.
 */
public final class CallLimiter {

  /**
   * What one rule is to charge.
   *
   * @param key whom the call is counted for; null is counted with all others that have none
   * @param cost the units; 0 is free, and less counts as 1
   */
  public record Use(@Nullable String key, long cost) {}

  private final List<RuleInForce> rules;
  private final Answers answers;

  private CallLimiter(Builder builder) {
    rules =
        builder.rules.stream()
            .map(
                rule ->
                    RuleInForce.prepared(
                        rule, builder.store, builder.format, PatternSyntax.SEGMENTS))
            .toList();
    RuleInForce.checkBudgets(rules);
    for (Rule rule : builder.rules) {
      if (rule.lookup() != null) {
        throw new IllegalArgumentException(
            "the limits of a rule for calls must not depend on a request: rule " + rule.name());
      }
    }
    Headers headers = new Headers(builder.store.time(), builder.jitter, builder.partitionKeys);
    answers = new Answers(headers, builder.refuser);
  }

  /** A limiter that counts in {@code store}, with settings. */
  public static Builder builder(Store store) {
    if (store == null) {
      throw new IllegalArgumentException("store must not be null");
    }
    return new Builder(store);
  }

  /**
   * Decides about a call, and charges it if it may pass.
   *
   * @param uses one for each rule, in the order of the rules
   */
  public Answer decide(List<Use> uses) {
    List<Charge> charges = charges(uses);
    return charges.isEmpty() ? answers.free(null) : answers.of(RuleEngine.ask(charges), null);
  }

  /** As {@link #decide}, without blocking a thread, and going on in threads made as needed. */
  public CompletionStage<Answer> decideAsync(List<Use> uses) {
    return decideAsync(uses, HandlerThreads.shared());
  }

  /**
   * As {@link #decide}, without blocking a thread.
   *
   * @param executor completes the stage, if the store does not answer at once
   */
  public CompletionStage<Answer> decideAsync(List<Use> uses, Executor executor) {
    List<Charge> charges = charges(uses);
    return charges.isEmpty()
        ? CompletableFuture.completedFuture(answers.free(null))
        : RuleEngine.askAsync(charges, executor, outcome -> answers.of(outcome, null));
  }

  /**
   * Asks what a rule's limits would say to one unit for a key, and takes nothing.
   *
   * @param rule the place of the rule in their order, from 0
   * @param key as in {@link Use}
   */
  public Decision peek(int rule, @Nullable String key) {
    return rules.get(rule).limiter().peek(limits(rule, key));
  }

  /** Forgets what a rule has counted for a key; both are as in {@link #peek}. */
  public void reset(int rule, @Nullable String key) {
    rules.get(rule).limiter().reset(limits(rule, key));
  }

  private KeyedLimit[] limits(int index, @Nullable String text) {
    RuleInForce rule = rules.get(index);
    Key key = rule.key(text);
    return rule.policies().stream()
        .map(policy -> policy.limit().on(key))
        .toArray(KeyedLimit[]::new);
  }

  private List<Charge> charges(List<Use> uses) {
    if (uses.size() != rules.size()) {
      throw new IllegalArgumentException(
          "there must be a use for each of the " + rules.size() + " rules: " + uses.size());
    }
    List<Charge> charges = new ArrayList<>(uses.size());
    for (int i = 0; i < uses.size(); i++) {
      Use use = uses.get(i);
      if (use.cost != 0) {
        RuleInForce rule = rules.get(i);
        charges.add(new Charge(rule, rule.key(use.key), Math.max(1, use.cost)));
      }
    }
    return charges;
  }

  /** Settings of a {@link CallLimiter}. */
  public static final class Builder {

    private final Store store;
    private final List<Rule> rules = new ArrayList<>();
    private HeaderFormat format = HeaderFormat.IETF;
    private boolean jitter;
    private boolean partitionKeys;
    private UnaryOperator<Refusal> refuser = UnaryOperator.identity();

    private Builder(Store store) {
      this.store = store;
    }

    /** Adds a rule. */
    public Builder rule(Rule rule) {
      rules.add(rule);
      return this;
    }

    /** See {@link HttpLimiter.Builder#headers}. */
    public Builder headers(HeaderFormat format) {
      this.format = format;
      return this;
    }

    /** See {@link HttpLimiter.Builder#partitionKeys}. */
    public Builder partitionKeys() {
      this.partitionKeys = true;
      return this;
    }

    /** See {@link HttpLimiter.Builder#retryJitter}. */
    public Builder retryJitter() {
      this.jitter = true;
      return this;
    }

    /** Replaces the refusal, whole or in part. */
    public Builder refusal(UnaryOperator<Refusal> refuser) {
      this.refuser = refuser;
      return this;
    }

    /** A limiter with these settings. */
    public CallLimiter build() {
      return new CallLimiter(this);
    }
  }
}
