package dev.stint.server.admin;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** What was counted at the last ticks, to tell how fast it grows. */
final class Recent {

  /** How many seconds a share is taken over. */
  private static final int SHARE_TICKS = 10;

  /** How many seconds a rate is taken over. */
  private static final int RATE_TICKS = 5;

  private static final long SECOND = 1_000_000;

  /**
   * Everything that was counted until a moment.
   *
   * @param micros the moment
   * @param useSum see {@link Meters#useSum}
   * @param near see {@link Meters#near}
   */
  record Sample(long micros, Counts counts, long useSum, long near) {

    static Sample of(long micros, @Nullable Meters meters) {
      return meters == null
          ? new Sample(micros, Counts.NONE, 0, 0)
          : new Sample(micros, meters.counts(), meters.useSum(), meters.near());
    }
  }

  private final Deque<Sample> newestFirst = new ArrayDeque<>(SHARE_TICKS + 1);

  /** Begins with nothing counted at this moment. */
  Recent(long micros) {
    newestFirst.add(new Sample(micros, Counts.NONE, 0, 0));
  }

  void add(Sample sample) {
    newestFirst.addFirst(sample);
    if (newestFirst.size() > SHARE_TICKS + 1) {
      newestFirst.removeLast();
    }
  }

  Sample newest() {
    return newestFirst.getFirst();
  }

  private Sample before(int ticks) {
    Iterator<Sample> samples = newestFirst.iterator();
    Sample sample = samples.next();
    for (int i = 0; i < ticks && samples.hasNext(); i++) {
      sample = samples.next();
    }
    return sample;
  }

  /** How many of a count there were a second, over the last five. */
  double perSecond(ToLongFunction<Counts> count) {
    Sample then = before(RATE_TICKS);
    long grown = count.applyAsLong(newest().counts()) - count.applyAsLong(then.counts());
    // A first second that is not over yet would make a burst of a single request.
    double seconds = Math.max(SECOND, newest().micros() - then.micros()) / (double) SECOND;
    return Math.round(grown / seconds * 1000) / 1000.0;
  }

  /** How full limits were, on the mean of the last ten seconds' decisions; null if none was. */
  @Nullable Double use() {
    Sample then = before(SHARE_TICKS);
    return share((double) (newest().useSum() - then.useSum()) / Meters.WHOLE, then);
  }

  /** The share of decisions that were near the limit, refusals included; null if none was. */
  @Nullable Double nearLimit() {
    Sample then = before(SHARE_TICKS);
    return share((double) (newest().near() - then.near()), then);
  }

  private @Nullable Double share(double part, Sample then) {
    long all = newest().counts().all() - then.counts().all();
    return all <= 0 ? null : Math.round(Math.min(1, part / all) * 10_000) / 10_000.0;
  }
}
