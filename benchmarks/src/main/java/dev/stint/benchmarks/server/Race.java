package dev.stint.benchmarks.server;

import dev.stint.benchmarks.server.Rounds.Round;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** Lets the contestants take turns, a short round each, then all again. */
final class Race {

  /**
   * How much is measured.
   *
   * @param shares of the highest rate, at which latencies are measured
   */
  record Pace(
      int warmups,
      int rounds,
      long millis,
      int openRounds,
      long openMillis,
      List<Double> shares,
      int starts) {

    static final Pace TRIAL = new Pace(1, 1, 300, 1, 300, List.of(Figures.HALF), 1);
    static final Pace QUICK = new Pace(5, 7, 800, 5, 1_500, List.of(Figures.HALF), 5);
    static final Pace FULL =
        new Pace(10, 21, 2_000, 11, 4_000, List.of(0.25, Figures.HALF, 0.75), 15);

    @Override
    public String toString() {
      return "%d × %d ms each in turn, after %d to warm up; at fixed rates %d × %d ms"
          .formatted(rounds, millis, warmups, openRounds, openMillis);
    }
  }

  private final Pace pace;
  private final Consumer<String> progress;

  Race(Pace pace, Consumer<String> progress) {
    this.pace = pace;
    this.progress = progress;
  }

  Figures.Throughput closed(Contest contest) throws IOException, InterruptedException {
    Rounds rounds = new Rounds();
    for (int round = -pace.warmups(); round < pace.rounds(); round++) {
      for (Contestant contestant : contest.contestants()) {
        Round result = timed(contest, contestant, c -> c.asking().closed(pace.millis()));
        if (round >= 0) {
          rounds.add(contestant.label(), result);
        }
      }
    }
    for (Contestant contestant : contest.contestants()) {
      tell(
          "%s: %s: %.0f/s",
          contest.label(),
          contestant.label(),
          rounds.of(contestant.label(), Round::perSecond).median());
    }
    return new Figures.Throughput(contest, rounds);
  }

  /** Asks the floor and the service at the same rates: parts of what both can do. */
  List<Figures.Latency> open(Figures.Throughput throughput)
      throws IOException, InterruptedException {
    Contest contest = throughput.contest();
    List<Figures.Latency> figures = new ArrayList<>();
    List<Contestant> both = List.of(contest.floor(), contest.stint().get(0));
    double highest = Double.MAX_VALUE;
    for (Contestant one : both) {
      double perSecond = throughput.rounds().of(one.label(), Round::perSecond).median();
      highest = Math.min(highest, perSecond);
    }
    for (double share : pace.shares()) {
      double rate = highest * share;
      Rounds rounds = new Rounds();
      for (int round = -1; round < pace.openRounds(); round++) {
        for (Contestant contestant : both) {
          Round result = timed(contest, contestant, c -> c.asking().open(rate, pace.openMillis()));
          if (round >= 0) {
            rounds.add(contestant.label(), result);
          }
        }
      }
      for (Contestant one : both) {
        tell(
            "%s: %s: p99 %.0f µs at %.0f/s",
            contest.label(), one.label(), rounds.of(one.label(), Round::p99Micros).median(), rate);
      }
      figures.add(new Figures.Latency(contest, share, rate, rounds));
    }
    return figures;
  }

  private interface Turn {
    Tally ask(Contestant contestant) throws IOException, InterruptedException;
  }

  private static Round timed(Contest contest, Contestant contestant, Turn turn)
      throws IOException, InterruptedException {
    double before = cpuSeconds(contestant.pid());
    Tally tally = turn.ask(contestant).checked(contest.label() + ", " + contestant.label() + ",");
    return Round.of(tally, cpuSeconds(contestant.pid()) - before);
  }

  private static double cpuSeconds(OptionalLong pid) throws IOException {
    return pid.isPresent() ? Proc.cpuSeconds(pid.getAsLong()) : Double.NaN;
  }

  private void tell(String format, Object... values) {
    progress.accept(String.format(Locale.ROOT, format, values));
  }
}
