package dev.stint.testkit;

import dev.stint.Decision;
import dev.stint.Limit;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * One thing that an answer says, such as {@code 4 left}. What a timeline expects and what a store
 * answered are both brought into this form, so that to compare them is to compare words.
 */
record Fact(Aspect aspect, String text) {

  /** What a fact is about; decisions come first. */
  enum Aspect {
    VERDICT,
    BY,
    LEFT,
    USED,
    RETRY,
    NEXT,
    RESET,
    SHARED,
    DEGRADED,
    COUNT,
    EXPIRY,
    FORGOTTEN
  }

  /** Everything that a decision says; {@code label} names its limit. */
  static List<Fact> of(Decision decision, Function<Limit, String> label) {
    List<Fact> facts = new ArrayList<>();
    facts.add(new Fact(Aspect.VERDICT, decision.allowed() ? "allowed" : "denied"));
    facts.add(new Fact(Aspect.BY, "by " + label.apply(decision.limit())));
    facts.add(new Fact(Aspect.LEFT, decision.remaining() + " left"));
    facts.add(new Fact(Aspect.USED, decision.used() + " used"));
    facts.add(after(Aspect.RETRY, decision.retryAfter()));
    facts.add(
        decision
            .nextAfter()
            .map(next -> after(Aspect.NEXT, next))
            .orElse(new Fact(Aspect.NEXT, "full")));
    facts.add(after(Aspect.RESET, decision.resetAfter()));
    facts.add(flag(Aspect.SHARED, decision.shared()));
    facts.add(flag(Aspect.DEGRADED, decision.degraded()));
    return facts;
  }

  static Fact after(Aspect aspect, Duration duration) {
    if (duration.equals(Decision.NEVER)) {
      return never(aspect);
    }
    long micros = duration.getSeconds() * 1_000_000 + duration.getNano() / 1000;
    return after(aspect, micros);
  }

  static Fact after(Aspect aspect, long micros) {
    return new Fact(aspect, word(aspect) + " in " + Span.format(micros));
  }

  static Fact never(Aspect aspect) {
    return new Fact(aspect, word(aspect) + " never");
  }

  static Fact flag(Aspect aspect, boolean set) {
    return new Fact(aspect, set ? word(aspect) : "not " + word(aspect));
  }

  static Fact count(long count) {
    return new Fact(Aspect.COUNT, "count " + count);
  }

  static Fact forgotten(long count) {
    return new Fact(Aspect.FORGOTTEN, count + " forgotten");
  }

  /** When a state expires, on a timeline that began at {@code start}. */
  static Fact expiry(Optional<Instant> expiresAt, Instant start) {
    if (expiresAt.isEmpty()) {
      return new Fact(Aspect.EXPIRY, "nothing");
    }
    Instant at = expiresAt.get();
    return at.equals(Instant.MAX)
        ? new Fact(Aspect.EXPIRY, "never")
        : expiry(ChronoUnit.MICROS.between(start, at));
  }

  static Fact expiry(long micros) {
    return new Fact(Aspect.EXPIRY, "at " + Span.format(micros));
  }

  private static String word(Aspect aspect) {
    return aspect.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public String toString() {
    return text;
  }
}
