package dev.stint.benchmarks.server;

import dev.stint.benchmarks.Spread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** What rounds came to, by the label of who answered. */
final class Rounds {

  /**
   * One contestant's part of a round.
   *
   * @param cpuSeconds what its process used of the processors; not a number if that is not told
   */
  record Round(
      long requests,
      double perSecond,
      double p50Micros,
      double p99Micros,
      double p999Micros,
      double cpuSeconds) {

    static Round of(Tally tally, double cpuSeconds) {
      return new Round(
          tally.latencies().getTotalCount(),
          tally.perSecond(),
          tally.micros(50),
          tally.micros(99),
          tally.micros(99.9),
          cpuSeconds);
    }
  }

  private final Map<String, List<Round>> rounds = new LinkedHashMap<>();

  void add(String label, Round round) {
    rounds.computeIfAbsent(label, l -> new ArrayList<>()).add(round);
  }

  List<String> labels() {
    return List.copyOf(rounds.keySet());
  }

  Spread of(String label, ToDoubleFunction<Round> number) {
    return Spread.of(all(label).stream().map(number::applyAsDouble).toList());
  }

  /** Of each round the ratio of the two, which were measured one after the other. */
  Spread ratio(String one, String other, ToDoubleFunction<Round> number) {
    List<Round> ones = all(one);
    List<Round> others = all(other);
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < Math.min(ones.size(), others.size()); i++) {
      ratios.add(number.applyAsDouble(ones.get(i)) / number.applyAsDouble(others.get(i)));
    }
    return Spread.of(ratios);
  }

  /** Processor time per request over all rounds: that of one is too short for its unit. */
  double cpuMicros(String label) {
    return all(label).stream().mapToDouble(Round::cpuSeconds).sum()
        * 1e6
        / all(label).stream().mapToLong(Round::requests).sum();
  }

  private List<Round> all(String label) {
    return rounds.getOrDefault(label, List.of());
  }
}
