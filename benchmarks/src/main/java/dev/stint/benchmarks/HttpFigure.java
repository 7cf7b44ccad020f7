package dev.stint.benchmarks;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** What the rounds of a run over HTTP came to. */
final class HttpFigure {

  /** One contestant's part of a round. */
  record Round(double perSecond, double p99Micros, double cpuMicros) {}

  private final Map<HttpContestant, List<Round>> rounds = new EnumMap<>(HttpContestant.class);

  void add(HttpContestant contestant, HttpCallers.Tally tally, long cpuNanos) {
    rounds
        .computeIfAbsent(contestant, c -> new ArrayList<>())
        .add(new Round(tally.perSecond(), tally.p99Micros(), cpuNanos / 1e3 / tally.requests()));
  }

  Spread of(HttpContestant contestant, ToDoubleFunction<Round> number) {
    return Spread.of(
        rounds.getOrDefault(contestant, List.of()).stream().map(number::applyAsDouble).toList());
  }

  /** The ratios of the two contestants' parts of each round: they were measured side by side. */
  Spread ratio(HttpContestant one, HttpContestant other, ToDoubleFunction<Round> number) {
    List<Round> ones = rounds.getOrDefault(one, List.of());
    List<Round> others = rounds.getOrDefault(other, List.of());
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < Math.min(ones.size(), others.size()); i++) {
      ratios.add(number.applyAsDouble(ones.get(i)) / number.applyAsDouble(others.get(i)));
    }
    return Spread.of(ratios);
  }
}
