package dev.stint.server.engine;

import dev.stint.Decision;
import dev.stint.Limit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a request would be answered now, and by which rule. Asking took nothing and was not counted.
 *
 * @param policy its name; of Envoy's rules the domain and the path, such as {@code web/path_login}
 * @param shadow whether it only watches
 * @param limits as configured, in the order of the state's
 * @param state what the limits say; null if none was asked
 * @param tried what the policy's candidate says; null if there is none
 */
public record Explanation(
    String policy,
    String key,
    long cost,
    boolean shadow,
    Rule rule,
    List<Limit> limits,
    @Nullable Decision state,
    @Nullable Tried tried) {

  /** Why a key is under these limits. */
  public enum Kind {
    USUAL,
    EXACT,
    PREFIX,
    GRANT,
    BLOCK,
    RLS,
    NONE
  }

  /**
   * What was found for the key.
   *
   * @param text the override's key or prefix, or the path of Envoy's rule; empty if there is none
   * @param waitMicros until a grant or block ends; 0 for other rules
   * @param untilMillis the same by the wall clock; 0 for other rules
   */
  public record Rule(Kind kind, String text, long waitMicros, long untilMillis) {

    /** One without an end. */
    public static Rule of(Kind kind, String text) {
      return new Rule(kind, text, 0, 0);
    }
  }

  /** The answer of a candidate. */
  public record Tried(String name, boolean allowed) {}

  /** Whether the policy would let it pass; what only watches lets all pass, whatever this says. */
  public boolean allowed() {
    return switch (rule.kind()) {
      case GRANT -> true;
      case BLOCK -> false;
      default -> state == null || state.allowed();
    };
  }
}
