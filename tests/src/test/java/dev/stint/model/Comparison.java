package dev.stint.model;

import dev.stint.Decision;
import dev.stint.Limit;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Compares a decision with the model's answer, field by field. */
final class Comparison {
  private final StringBuilder differences = new StringBuilder();

  /** What differs, one field a line; empty when nothing does. */
  static String of(Answer expected, List<Ask> asks, Decision actual) {
    Comparison comparison = new Comparison();
    comparison.whole(expected, asks, actual);
    return comparison.differences.toString();
  }

  private void whole(Answer expected, List<Ask> asks, Decision actual) {
    Answer.Own decider = expected.decider();
    field("allowed", expected.allowed(), actual.allowed());
    field("retryAfter", duration(expected.retryAfter()), actual.retryAfter());
    field("neverFits", expected.retryAfter() == Terms.FOREVER, actual.neverFits());
    field("shared", false, actual.shared());
    field("degraded", false, actual.degraded());
    state("", decider, actual);
    field("limits().size", asks.size(), actual.limits().size());
    for (int i = 0; i < Math.min(asks.size(), actual.limits().size()); i++) {
      Answer.Own own = expected.limits().get(i);
      Decision one = actual.limits().get(i);
      String prefix = "limits()[" + i + "].";
      field(prefix + "allowed", own.allowed(), one.allowed());
      field(prefix + "retryAfter", duration(own.retryAfter()), one.retryAfter());
      field(prefix + "neverFits", own.retryAfter() == Terms.FOREVER, one.neverFits());
      state(prefix, own, one);
    }
  }

  private void state(String prefix, Answer.Own expected, Decision actual) {
    Limit limit = Limits.of(expected.terms());
    if (!limit.equals(actual.limit())) {
      field(prefix + "limit", limit, actual.limit());
    }
    field(prefix + "amount", expected.terms().amount(), actual.amount());
    field(prefix + "used", expected.used(), actual.used());
    field(prefix + "remaining", expected.remaining(), actual.remaining());
    field(prefix + "nextAfter", duration(expected.nextAfter()), actual.nextAfter());
    field(prefix + "resetAfter", duration(expected.resetAfter()), actual.resetAfter());
  }

  private void field(String name, Object expected, Object actual) {
    if (!expected.equals(actual)) {
      differences.append("  %s must be %s: %s%n".formatted(name, expected, actual));
    }
  }

  private static Optional<Duration> duration(OptionalLong micros) {
    return micros.isEmpty() ? Optional.empty() : Optional.of(duration(micros.getAsLong()));
  }

  static Duration duration(long micros) {
    return micros == Terms.FOREVER ? Decision.NEVER : Duration.of(micros, ChronoUnit.MICROS);
  }
}
