package dev.stint.benchmarks.server;

import dev.stint.benchmarks.Spread;
import dev.stint.benchmarks.Target;
import dev.stint.benchmarks.server.Figures.Allocation;
import dev.stint.benchmarks.server.Figures.Latency;
import dev.stint.benchmarks.server.Figures.Throughput;
import dev.stint.benchmarks.server.Rounds.Round;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What is expected of the service, and by how much and why it falls short. */
final class ServerTargets {

  private static final double P99 = 2;
  private static final double MEGABYTES = 400;
  private static final double SECONDS = 1.5;

  /** Nothing, but for what happens once in many requests. */
  private static final double BYTES = 1;

  private final Figures figures;
  private final List<Target> all = new ArrayList<>();
  private final List<String> reasons = new ArrayList<>();

  ServerTargets(Figures figures) {
    this.figures = figures;
    figures.throughput().forEach(this::throughput);
    figures.latencies().stream()
        .filter(latency -> latency.share() == Figures.HALF)
        .forEach(this::latency);
    figures.allocations().stream()
        .filter(allocation -> allocation.depth() > 1)
        .forEach(this::allocation);
    Optional<Double> most = figures.memory().map(Figures.Memory::most);
    add(
        Target.atMost("memory with a million live keys, at the most, MB", MEGABYTES, most, "%.0f"),
        "the report tells what it has before the first key");
    Optional<Double> seconds = figures.firstAnswer().map(spread -> spread.median() / 1e3);
    add(
        Target.atMost("first answer after the start of the process, s", SECONDS, seconds, "%.2f"),
        "the report tells the quickest and the slowest start");
  }

  List<Target> all() {
    return all;
  }

  /** For each target that was missed a sentence. */
  List<String> reasons() {
    return reasons;
  }

  private void add(Target target, String reason) {
    all.add(target);
    if (target.measured().isPresent() && !target.held()) {
      reasons.add(
          "%s: %s instead of %s; %s."
              .formatted(target.name(), target.measured().get(), target.asked(), reason));
    }
  }

  private void throughput(Throughput measured) {
    if (measured.contest().atLeast().isEmpty()) {
      return;
    }
    String floor = measured.contest().floor().label();
    for (Contestant stint : measured.contest().stint()) {
      Spread ratio = measured.rounds().ratio(stint.label(), floor, Round::perSecond);
      add(
          Target.atLeast(
              "%s: %s, answers per second to those of %s"
                  .formatted(measured.contest().label(), stint.label(), floor),
              measured.contest().atLeast().getAsDouble(),
              Optional.of(ratio.median()),
              "%.2f×"),
          range(ratio) + processorTime(measured.rounds(), stint.label(), floor));
    }
  }

  private void latency(Latency measured) {
    String stint = measured.contest().stint().get(0).label();
    String floor = measured.contest().floor().label();
    Spread ratio = measured.rounds().ratio(stint, floor, Round::p99Micros);
    add(
        Target.atMost(
            "%s: p99 at half of the highest rate, to that of %s"
                .formatted(measured.contest().label(), floor),
            P99,
            Optional.of(ratio.median()),
            "%.2f×"),
        range(ratio)
            + ", p99 %.0f µs to %.0f µs at %,.0f/s"
                .formatted(
                    measured.rounds().of(stint, Round::p99Micros).median(),
                    measured.rounds().of(floor, Round::p99Micros).median(),
                    measured.perSecond()));
  }

  private void allocation(Allocation measured) {
    add(
        Target.atMost(
            "%s, %d pipelined: bytes allocated per request beyond a PING's"
                .formatted(measured.command(), measured.depth()),
            BYTES,
            Optional.of(Math.max(0, measured.bytes() - measured.ofPing())),
            "%.1f"),
        "a PING has %.1f".formatted(measured.ofPing()));
  }

  private static String range(Spread ratio) {
    return String.format(
        Locale.ROOT, "the rounds' ratios go from %.2f to %.2f", ratio.low(), ratio.high());
  }

  private String processorTime(Rounds rounds, String stint, String floor) {
    double ours = rounds.cpuMicros(stint);
    double theirs = rounds.cpuMicros(floor);
    return Double.isNaN(theirs)
        ? ", the service's process took %.1f µs of processor time per request".formatted(ours)
        : ", its process took %.1f µs of processor time per request, the floor's %.1f µs (machine: %s)"
            .formatted(ours, theirs, figures.environment().facts().getOrDefault("load", "unknown"));
  }
}
