package dev.stint.studio.trial;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
  private final @Nullable Trial exact;
  private final @Nullable Trial exactOfOurs;
  private final Population population;
  private final Timeline arrived;
  private final Map<Long, Distribution> distributions = new TreeMap<>();
  private long requests;

  /**
   * Trials of these plans, which must have the same limits but for the algorithm.
   *
   * @param start the first moment, before which no request comes
   * @param step how long a column of a timeline is at first
   * @param spans over which spans the distribution of use is taken, in microseconds
   */
  public Trials(List<Plan> plans, long start, long step, List<Long> spans) {
    for (Plan plan : plans) {
      trials.add(new Trial(plan, start, step, COLUMNS));
    }
    exactOfOurs = trials.stream().filter(one -> one.plan().isExact()).findFirst().orElse(null);
    exact =
        exactOfOurs != null || plans.isEmpty()
            ? exactOfOurs
            : new Trial(plans.get(0).exact(), start, step, COLUMNS);
    population = new Population(start);
    arrived = new Timeline(start, step, COLUMNS);
    for (long span : spans) {
      distributions.put(span, new Distribution(span));
    }
  }

  /** A request comes. */
  public void request(long micros, int key, long cost) {
    requests++;
    population.add(micros, key);
    arrived.add(micros, cost);
    for (Distribution distribution : distributions.values()) {
      distribution.add(micros, key, cost);
    }
    boolean exactAllows = exact == null || exact.hit(micros, key, cost);
    for (Trial trial : trials) {
      if (trial != exactOfOurs) {
        trial.hit(micros, key, cost, exactAllows);
      }
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
    return List.copyOf(distributions.values());
  }

  /** How many requests came. */
  public long requests() {
    return requests;
  }

  @Override
  public void close() {
    trials.forEach(Trial::close);
    if (exact != null) {
      exact.close();
    }
  }
}
