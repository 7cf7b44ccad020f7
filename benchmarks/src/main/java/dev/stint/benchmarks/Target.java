package dev.stint.benchmarks;

import java.util.Optional;

/**
 * Something that is expected of Stint.
 *
 * @param name what it is about
 * @param asked what must be
 * @param measured what was, or empty if the run did not measure it
 * @param held whether it is as it must be
 */
public record Target(String name, String asked, Optional<String> measured, boolean held) {

  /** Held, missed or not measured. */
  public String verdict() {
    if (measured.isEmpty()) {
      return "not measured";
    }
    return held ? "held" : "missed";
  }

  /** Met by {@code value} and more. */
  public static Target atLeast(
      String name, double value, Optional<Double> measured, String format) {
    return new Target(
        name,
        "≥ " + format.formatted(value),
        measured.map(format::formatted),
        measured.isPresent() && measured.get() >= value);
  }

  /** Met by {@code value} and less. */
  public static Target atMost(String name, double value, Optional<Double> measured, String format) {
    return new Target(
        name,
        "≤ " + format.formatted(value),
        measured.map(format::formatted),
        measured.isPresent() && measured.get() <= value);
  }
}
