package dev.stint.studio.findings;

import dev.stint.Limit;
import dev.stint.studio.trial.Population;
import dev.stint.studio.trial.Trial;
import dev.stint.studio.trial.Trials;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.IntFunction;

/** Makes lanes of trials that are over. */
public final class Lanes {

  private Lanes() {}

  /**
   * One lane for each trial.
   *
   * @param names what keys are called
   * @param top how many of those who were refused most are named
   */
  public static List<Findings.Lane> of(Trials trials, IntFunction<String> names, int top) {
    return trials.all().stream()
        .map(trial -> lane(trial, trials.population(), names, top))
        .toList();
  }

  private static Findings.Lane lane(
      Trial trial, Population population, IntFunction<String> names, int top) {
    return new Findings.Lane(
        trial.plan().name(),
        trial.plan().limits().stream().map(Limit::toString).toList(),
        trial.requests() - trial.refused(),
        trial.refused(),
        trial.keysRefused(),
        trial.worstSecond(),
        trial.worstMinute(),
        trial.unneeded(),
        trial.missed(),
        trial.admittedOverTime(),
        trial.refusedOverTime(),
        worst(trial, population.keys(), top).stream()
            .map(
                key ->
                    new Findings.Offender(
                        names.apply(key),
                        population.requestsOf(key),
                        trial.refusedOf(key),
                        population.patternOf(key),
                        Optional.ofNullable(trial.sparkOf(key))))
            .toList());
  }

  /** The keys that were refused most, most of all first; of equals the one that came first. */
  private static List<Integer> worst(Trial trial, int keys, int top) {
    Comparator<Integer> least =
        Comparator.<Integer>comparingInt(trial::refusedOf).thenComparing(Comparator.reverseOrder());
    PriorityQueue<Integer> best = new PriorityQueue<>(least);
    for (int key = 0; key < keys; key++) {
      if (trial.refusedOf(key) > 0) {
        best.add(key);
        if (best.size() > top) {
          best.remove();
        }
      }
    }
    List<Integer> sorted = new ArrayList<>(best);
    sorted.sort(least.reversed());
    return sorted;
  }
}
