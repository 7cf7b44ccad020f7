package dev.stint.benchmarks;

import java.util.List;

/** What several rounds came to: the one in the middle, the least and the most. */
public record Spread(double median, double low, double high) {

  /** The spread of these values, of which there must be one. */
  public static Spread of(List<Double> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("there must be a value to take the median of: none");
    }
    List<Double> sorted = values.stream().sorted().toList();
    int size = sorted.size();
    double median = (sorted.get((size - 1) / 2) + sorted.get(size / 2)) / 2;
    return new Spread(median, sorted.get(0), sorted.get(size - 1));
  }
}
