package dev.stint.benchmarks;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What all contestants did in one scenario, round by round. Ratios are those of one round, in which
 * all met the same machine, and then the median of those.
 */
final class RedisFigure {

  private final RedisScenario scenario;
  private final Map<RedisContestant, List<Callers.Tally>> rounds =
      new EnumMap<>(RedisContestant.class);
  private final Map<RedisContestant, CommandStats> stats = new EnumMap<>(RedisContestant.class);

  RedisFigure(RedisScenario scenario) {
    this.scenario = scenario;
  }

  RedisScenario scenario() {
    return scenario;
  }

  /** Takes a round, and checks that Stint has asked Redis at most once per decision. */
  void add(RedisContestant contestant, Callers.Tally tally, CommandStats ran) {
    if (contestant == RedisContestant.STINT && ran.scripts() > tally.asked()) {
      throw new IllegalStateException(
          "Stint must call Redis at most once per decision: in %s it called %d times for %d"
              .formatted(scenario.id(), ran.scripts(), tally.asked()));
    }
    rounds.computeIfAbsent(contestant, c -> new ArrayList<>()).add(tally);
    stats.merge(contestant, ran, CommandStats::plus);
  }

  boolean has(RedisContestant contestant) {
    return rounds.containsKey(contestant);
  }

  private List<Callers.Tally> rounds(RedisContestant contestant) {
    return rounds.getOrDefault(contestant, List.of());
  }

  Spread perSecond(RedisContestant contestant) {
    return Spread.of(rounds(contestant).stream().map(Callers.Tally::perSecond).toList());
  }

  /** How many times as fast one was as another. */
  Spread ratio(RedisContestant one, RedisContestant other) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < rounds(one).size(); i++) {
      ratios.add(rounds(one).get(i).perSecond() / rounds(other).get(i).perSecond());
    }
    return Spread.of(ratios);
  }

  private CommandStats stats(RedisContestant contestant) {
    return stats.getOrDefault(contestant, CommandStats.NONE);
  }

  private double each(RedisContestant contestant, long total) {
    return (double) total / rounds(contestant).stream().mapToLong(Callers.Tally::asked).sum();
  }

  /** Script calls per decision. */
  double scripts(RedisContestant contestant) {
    return each(contestant, stats(contestant).scripts());
  }

  /** Other calls per decision. */
  double plainCalls(RedisContestant contestant) {
    return each(contestant, contestant.plainCalls(stats(contestant)));
  }

  /** Microseconds that a decision's scripts take in the server. */
  double serverMicros(RedisContestant contestant) {
    return each(contestant, stats(contestant).scriptMicros());
  }
}
