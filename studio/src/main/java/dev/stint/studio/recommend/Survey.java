package dev.stint.studio.recommend;

import dev.stint.studio.cli.Span;
import dev.stint.studio.log.Sink;
import dev.stint.studio.trial.Distribution;
import dev.stint.studio.trial.Population;
import dev.stint.studio.trial.Timeline;
import dev.stint.studio.trial.Trials;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a first reading tells: who came, when, and how much of it in one span of time. */
final class Survey implements Sink {

  private final List<Distribution> distributions =
      List.of(
          new Distribution(Span.SECOND),
          new Distribution(10 * Span.SECOND),
          new Distribution(Span.MINUTE),
          new Distribution(60 * Span.MINUTE));

  private @Nullable Population population;
  private @Nullable Timeline arrived;
  private long requests;
  private long end;

  @Override
  public void request(long micros, int key, long cost) {
    if (population == null || arrived == null) {
      population = new Population(micros);
      arrived = new Timeline(micros, Span.SECOND, Trials.COLUMNS);
    }
    population.add(micros, key);
    arrived.add(micros, cost);
    for (Distribution distribution : distributions) {
      distribution.add(micros, key, cost);
    }
    requests++;
    end = micros;
  }

  List<Distribution> distributions() {
    return distributions;
  }

  /** Those that it is long enough to speak of. */
  List<Distribution> covered() {
    return distributions.stream().filter(use -> covers(use.span())).toList();
  }

  /**
   * Whether somebody uses more than three times what all but a tenth of the clients stay within; of
   * a few clients, all but half.
   */
  boolean somebodyStandsOut() {
    int part = keys() < 20 ? 2 : 10;
    return covered().stream().anyMatch(use -> part * use.keysAbove((most(use) - 1) / 3) <= keys());
  }

  private static int most(Distribution use) {
    return use.peaks().keySet().stream().mapToInt(Integer::intValue).max().orElse(1);
  }

  Timeline arrived() {
    return arrived == null ? new Timeline(0, Span.SECOND, Trials.COLUMNS) : arrived;
  }

  long requests() {
    return requests;
  }

  int keys() {
    return population == null ? 0 : population.keys();
  }

  long requestsOf(int key) {
    return population == null ? 0 : population.requestsOf(key);
  }

  /** Whether it is long enough to speak of spans of this length; an hour may lack some minutes. */
  boolean covers(long span) {
    return length() >= span - span / 10;
  }

  /** From the first request to the last, in microseconds. */
  long length() {
    return requests == 0 ? 0 : end - arrived().start();
  }
}
