package dev.stint.benchmarks;

import static dev.stint.benchmarks.RedisContestant.BUCKET4J;
import static dev.stint.benchmarks.RedisContestant.FLOOR;
import static dev.stint.benchmarks.RedisContestant.MINIMAL;
import static dev.stint.benchmarks.RedisContestant.REDISSON;
import static dev.stint.benchmarks.RedisContestant.STINT;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is expected of Stint in Redis. Speeds are ratios within one run. */
final class RedisTargets {

  private static final String RATIO = "%.2f×";
  private static final String BYTES = "%.0f B";

  /** "The same", on a machine where the same is never quite the same. */
  private static final double SAME = 1.25;

  private final RedisResults results;
  private final List<Target> targets = new ArrayList<>();

  private RedisTargets(RedisResults results) {
    this.results = results;
  }

  static List<Target> of(RedisResults results) {
    RedisTargets targets = new RedisTargets(results);
    targets.speed();
    targets.serverTime();
    targets.calls();
    targets.memory();
    targets.logs();
    return targets.targets;
  }

  private void speed() {
    for (int callers : new int[] {8, 64}) {
      faster(RedisScenario.many(callers), FLOOR, 0.6);
      faster(RedisScenario.many(callers), BUCKET4J, 2);
      faster(RedisScenario.many(callers), REDISSON, 2);
    }
    faster(RedisScenario.hot(8), BUCKET4J, 5);
    faster(RedisScenario.hot(64), BUCKET4J, 20);
    faster(RedisScenario.async(8), BUCKET4J, 1.5);
    faster(RedisScenario.async(64), BUCKET4J, 1.5);
    RedisScenario.refusals().forEach(refusals -> faster(refusals, BUCKET4J, 1));
  }

  private void faster(RedisScenario scenario, RedisContestant peer, double times) {
    targets.add(
        Target.atLeast(
            "times as fast as %s: %s".formatted(peer.label(), scenario.label()),
            times,
            results.figure(scenario).map(figure -> figure.ratio(STINT, peer).median()),
            RATIO));
  }

  /** What a decision that travels alone costs the server. */
  private void serverTime() {
    RedisScenario alone = RedisScenario.many(1);
    targets.add(
        Target.atMost(
            "times a minimal script's time in the server: " + alone.label(),
            1.4,
            results
                .figure(alone)
                .map(figure -> figure.serverMicros(STINT) / figure.serverMicros(MINIMAL)),
            RATIO));
  }

  private void calls() {
    targets.add(
        Target.atMost(
            "script calls per decision, the most of any scenario",
            1,
            results.figures().stream().map(one -> one.scripts(STINT)).max(Double::compare),
            "%.3f"));
  }

  private void memory() {
    for (RedisBytes.Job job : RedisBytes.jobs()) {
      if (job.most() > 0) {
        targets.add(
            Target.atMost(
                "bytes per key in Redis: " + job.row(),
                job.most(),
                results.bytes(job.row()).map(RedisBytes::perKey),
                BYTES));
      }
    }
  }

  private void logs() {
    Optional<Double> large = results.log(RedisLogs.LARGE).map(log -> log.server().median());
    Optional<Double> small = results.log(RedisLogs.SMALL).map(log -> log.server().median());
    targets.add(
        Target.atMost(
            "a log hit at 10,000 to one at 100, in the server",
            SAME,
            large.flatMap(a -> small.map(b -> a / b)),
            RATIO));
  }
}
