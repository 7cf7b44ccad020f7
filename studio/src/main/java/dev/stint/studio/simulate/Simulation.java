package dev.stint.studio.simulate;

import dev.stint.Decision;
import dev.stint.studio.cli.Interruption;
import dev.stint.studio.cli.Progress;
import dev.stint.studio.trial.Plan;
import dev.stint.studio.trial.Timeline;
import dev.stint.studio.trial.Trial;
import dev.stint.studio.trial.Trials;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Traffic through plans, in virtual time.
 *
 * <p>Traffic that does not listen is made once, for all plans beside each other. Traffic that does
 * is another for each plan, so that each gets a run of its own.
 */
final class Simulation implements AutoCloseable {

  private static final int LOOK_EVERY = 1 << 10;

  /** One run: what was tried in it, and what its keys are called. */
  record Run(Trials trials, List<String> names) {}

  /** Hears of every decision. */
  interface Observer {

    /** A plan's answer is in {@code trial.last()}. */
    void decided(Source.Request request, Trial trial);
  }

  private final Traffic traffic;
  private final Setting setting;
  private final long seed;
  private final Interruption interruption;
  private final List<Run> runs = new ArrayList<>();
  private long last;

  /**
   * A simulation that has not begun.
   *
   * @param spans over which the distribution of use is taken, in microseconds
   */
  Simulation(
      Traffic traffic,
      Setting setting,
      long seed,
      List<Plan> plans,
      List<Long> spans,
      Interruption interruption) {
    this.traffic = traffic;
    this.setting = setting;
    this.seed = seed;
    this.interruption = interruption;
    long step = Math.max(1, (setting.duration() + Trials.COLUMNS - 1) / Trials.COLUMNS);
    List<List<Plan>> together =
        traffic.listens() ? plans.stream().map(List::of).toList() : List.of(plans);
    for (List<Plan> one : together) {
      runs.add(new Run(new Trials(one, setting.start(), step, spans), new ArrayList<>()));
    }
  }

  /**
   * Sends everything, unless it is interrupted.
   *
   * @throws IllegalArgumentException with a whole sentence, if that is too much
   */
  void run(Observer observer, Progress progress) {
    if (!traffic.listens()) {
      count();
    }
    for (int i = 0; i < runs.size(); i++) {
      run(runs.get(i), i, observer, progress);
    }
    if (!interruption.isWanted()) {
      last = setting.duration() - 1;
    }
    for (Run run : runs) {
      reach(run.trials().arrivedOverTime());
      for (Trial trial : run.trials().all()) {
        reach(trial.admittedOverTime());
        reach(trial.refusedOverTime());
      }
    }
  }

  /** So that all timelines have the same columns, whoever came last. */
  private void reach(Timeline timeline) {
    timeline.add(setting.start() + last, 0);
  }

  /** It is better to say at once that something takes too long than after a minute. */
  private void count() {
    Source source = traffic.open(setting, seed);
    for (long n = 1; source.next() < setting.duration() && !interruption.isWanted(); n++) {
      bound(n);
      Source.Request unused = source.take();
      source.answered(true, 0);
    }
  }

  private static void bound(long requests) {
    if (requests > Traffic.MOST) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "traffic must be at most %,d requests, and this is more;"
                  + " choose a shorter --duration or less of it",
              Traffic.MOST));
    }
  }

  private void run(Run run, int before, Observer observer, Progress progress) {
    Source source = traffic.open(setting, seed);
    Map<String, Integer> numbers = new HashMap<>();
    Trials trials = run.trials();
    boolean listens = traffic.listens();
    for (long n = 1; source.next() < setting.duration(); n++) {
      if (n % LOOK_EVERY == 1) {
        if (interruption.isWanted()) {
          return;
        }
        progress.done(n, (before + (double) source.next() / setting.duration()) / runs.size());
      }
      bound(n);
      Source.Request request = source.take();
      int key =
          numbers.computeIfAbsent(
              request.key(),
              name -> {
                run.names().add(name);
                return numbers.size();
              });
      trials.request(setting.start() + request.at(), key, request.cost());
      last = Math.max(last, request.at());
      for (Trial trial : trials.all()) {
        observer.decided(request, trial);
      }
      answer(source, listens ? trials.all().get(0).last() : null);
    }
  }

  private static void answer(Source source, @Nullable Decision decision) {
    if (decision == null || decision.allowed()) {
      source.answered(true, 0);
    } else {
      source.answered(false, Decisions.micros(decision.retryAfter(), Source.NEVER));
    }
  }

  /** One for all plans, or one for each. */
  List<Run> runs() {
    return runs;
  }

  @Override
  public void close() {
    runs.forEach(run -> run.trials().close());
  }
}
