package dev.stint.studio.recommend;

import dev.stint.Limit;
import dev.stint.studio.cli.Span;
import dev.stint.studio.trial.Distribution;
import dev.stint.studio.trial.Plan;
import dev.stint.studio.trial.Trial;
import java.util.BitSet;
import java.util.List;

/**
 * One limit, tried on the requests of a log with the engine, until more clients notice than may.
 *
 * <p>Most clients need not be asked about. Whoever uses at most P in any span of the clock uses at
 * most 2 P in any span at all, for that lies in two of the clock's. A sliding counter may take this
 * for 3 P, as the window before counts in part, and a bucket of L that drains L in a span overflows
 * only after more than L / 2 in one of them. So nobody with 3 P ≤ L is ever refused, whatever the
 * algorithm.
 */
final class Attempt implements AutoCloseable {

  /** See above. */
  static final int FARTHEST = 3;

  private final Distribution use;
  private final Limit limit;
  private final BitSet anyway;
  private final long mayNotice;
  private final BitSet whom = new BitSet();
  private long noticing;
  private final Trial trial;

  /**
   * An attempt at a limit over the span of {@code use}.
   *
   * @param anyway clients that notice something already
   * @param mayNotice so many others may be refused at most
   */
  Attempt(Distribution use, Limit limit, long start, BitSet anyway, long mayNotice) {
    this.use = use;
    this.limit = limit;
    this.anyway = anyway;
    this.mayNotice = mayNotice;
    this.trial = new Trial(Plan.of(List.of(limit)), start, Span.MINUTE, 2);
  }

  /** How many clients the engine is asked about. */
  long asked() {
    return use.keysAbove(harmless());
  }

  /** Who never uses more need not be asked about; how much it is beyond counting is not known. */
  private long harmless() {
    return Math.min(limit.amount() / FARTHEST, Integer.MAX_VALUE - 1);
  }

  void request(long micros, int key, long cost) {
    if (holds()
        && use.peakOf(key) > harmless()
        && !trial.hit(micros, key, cost)
        && !whom.get(key)) {
      whom.set(key);
      noticing += anyway.get(key) ? 0 : 1;
    }
  }

  /** Whether so far no more clients notice than may. */
  boolean holds() {
    return noticing <= mayNotice;
  }

  /** What it came to, once all requests have been. */
  Tried result() {
    return new Tried(limit, use.span(), trial.refused(), whom);
  }

  @Override
  public void close() {
    trial.close();
  }
}
