package dev.stint.testkit;

import dev.stint.Key;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.testkit.Fact.Aspect;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One step of a timeline: at this moment, do this, and expect that.
 *
 * @param at microseconds since the timeline's start
 * @param name how a later refund calls this hit, or null
 * @param refunds the earlier hit that this step refunds, or null
 * @param facts what the whole answer must say
 * @param parts what single limits of a joint call must say, by the limit's position in the call
 */
record Step(
    int line,
    String text,
    long at,
    Verb verb,
    List<Target> targets,
    @Nullable String name,
    @Nullable String refunds,
    List<Fact> facts,
    Map<Integer, List<Fact>> parts) {

  /** Whether this step is about the limiter's own limits, on a key. */
  boolean isOwn() {
    return targets.size() == 1 && targets.get(0).label() == null && !targets.get(0).shadow();
  }

  /** What a step does. */
  enum Verb {
    HIT("hit", true, true),
    PEEK("peek", true, true),
    INC("inc", true, false),
    REFUND("refund", true, false),
    SET("set", true, false),
    GET("get", false, false),
    EXPIRES_AT("expiresAt", false, false),
    RESET("reset", false, true),
    CLEAN("clean", false, false);

    final String word;
    final boolean takesNumber;
    final boolean takesSeveral;

    Verb(String word, boolean takesNumber, boolean takesSeveral) {
      this.word = word;
      this.takesNumber = takesNumber;
      this.takesSeveral = takesSeveral;
    }

    boolean asks() {
      return this == HIT || this == PEEK;
    }

    boolean answersNothing() {
      return this == REFUND || this == SET || this == RESET;
    }

    boolean answers(Aspect aspect) {
      return switch (this) {
        case HIT, PEEK -> aspect.compareTo(Aspect.DEGRADED) <= 0;
        case INC, GET -> aspect == Aspect.COUNT;
        case EXPIRES_AT -> aspect == Aspect.EXPIRY;
        case CLEAN -> aspect == Aspect.FORGOTTEN;
        case REFUND, SET, RESET -> false;
      };
    }
  }

  /**
   * What a step acts on.
   *
   * @param label the limit's name in the timeline; null for the only one, or all of the limiter's
   */
  record Target(long n, @Nullable String label, String key, boolean shadow) {

    KeyedLimit on(Limit limit, String prefix) {
      KeyedLimit one = limit.on(Key.of(prefix + key));
      one = n == 0 ? one : one.cost(n);
      return shadow ? one.shadow() : one;
    }
  }
}
