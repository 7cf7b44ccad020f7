package dev.stint.studio.trial;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Several plans under the same requests, beside each other and beside the exact sliding log.
 *
 * <p>Requests come in order of time; keys are numbers from 0 on.
 */
public final class Trials implements AutoCloseable {

  /** How many columns timelines have at most. */
  public static final int COLUMNS = 240;

  private final List<Trial> trials = new ArrayList<>();
  private final @Nullable Yardstick exact;
  private final @Nullable Trial exactOfOurs;
  private final Population population;
  private final Timeline arrived;
  private final List<Distribution> spans;
  private final Threads threads;
  private boolean[] exactly = new boolean[0];
  private boolean[][] answers = new boolean[0][];
  private long requests;

  /**
   * Trials of these plans, which must have the same limits but for the algorithm.
   *
   * @param start the first moment, before which no request comes
   * @param step how long a column of a timeline is at first
   * @param spans over which spans the distribution of use is taken, in microseconds
   */
  public Trials(List<Plan> plans, long start, long step, List<Long> spans) {
    this(plans, start, step, spans, 1);
  }

  /**
   * As above; {@link #requests(long[], int[], long[], int)} takes so many threads, the caller's
   * among them.
   */
  public Trials(List<Plan> plans, long start, long step, List<Long> spans, int threads) {
    for (Plan plan : plans) {
      trials.add(new Trial(plan, start, step, COLUMNS));
    }
    exactOfOurs = trials.stream().filter(one -> one.plan().isExact()).findFirst().orElse(null);
    exact =
        exactOfOurs != null || plans.isEmpty() || !plans.get(0).hasExact()
            ? null
            : new Yardstick(plans.get(0).exact(), start, step);
    population = new Population(start);
    arrived = new Timeline(start, step, COLUMNS);
    this.spans = spans.stream().distinct().sorted().map(Distribution::new).toList();
    this.threads = new Threads(threads);
  }

  /** A request comes. */
  public void request(long micros, int key, long cost) {
    requests++;
    know(micros, key, cost);
    boolean exactAllows =
        exactOfOurs != null
            ? exactOfOurs.hit(micros, key, cost)
            : exact != null && exact.allows(micros, key, cost);
    for (Trial trial : trials) {
      if (!isCompared()) {
        boolean unused = trial.hit(micros, key, cost);
      } else if (trial != exactOfOurs) {
        boolean unused = trial.hit(micros, key, cost, exactAllows);
      }
    }
  }

  /**
   * Several requests come, the first {@code size} of these.
   *
   * <p>Every trial sees all of them in their order, on whatever thread, so what comes out does not
   * depend on how many threads there are.
   */
  public void requests(long[] micros, int[] keys, long[] costs, int size) {
    requests += size;
    Requests some = new Requests(micros, keys, costs, size);
    if (exactly.length < size) {
      exactly = new boolean[size];
      answers = new boolean[trials.size()][size];
    }
    List<Runnable> tasks = new ArrayList<>();
    tasks.add(() -> know(some));
    for (int i = 0; i < trials.size(); i++) {
      Trial trial = trials.get(i);
      boolean[] own = trial == exactOfOurs ? exactly : answers[i];
      tasks.add(() -> trial.hits(some, own));
    }
    threads.run(tasks);
    for (int i = 0; i < trials.size(); i++) {
      if (isCompared() && trials.get(i) != exactOfOurs) {
        trials.get(i).compare(answers[i], exactly, size);
      }
    }
  }

  /** Whether there is an exact log to be measured against: not of amounts that no log can hold. */
  private boolean isCompared() {
    return exactOfOurs != null || exact != null;
  }

  private void know(Requests some) {
    for (int i = 0; i < some.size(); i++) {
      know(some.micros()[i], some.keys()[i], some.costs()[i]);
    }
    if (exact != null) {
      exact.allow(some, exactly);
    }
  }

  private void know(long micros, int key, long cost) {
    population.add(micros, key);
    arrived.add(micros, cost);
    for (Distribution distribution : spans) {
      distribution.add(micros, key, cost);
    }
  }

  /** One for each plan, in their order. */
  public List<Trial> all() {
    return trials;
  }

  /** Who came. */
  public Population population() {
    return population;
  }

  /** What came, over time. */
  public Timeline arrivedOverTime() {
    return arrived;
  }

  /** How much keys use, by the length of the span. */
  public List<Distribution> distributions() {
    return spans;
  }

  /** How many requests came. */
  public long requests() {
    return requests;
  }

  @Override
  public void close() {
    threads.close();
    trials.forEach(Trial::close);
    if (exact != null) {
      exact.close();
    }
  }
}
