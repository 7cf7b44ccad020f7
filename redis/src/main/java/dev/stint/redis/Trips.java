package dev.stint.redis;

import dev.stint.Decision;
import dev.stint.algorithm.Algorithm;
import dev.stint.algorithm.State;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * What the last trips to a store told of its buckets.
 *
 * <p>Two places may fall on one slot, and the later is remembered. So it takes the same memory for
 * any number of keys, and a hot key, which comes again at once, is noticed among any number of cold
 * ones.
 */
final class Trips {

  private static final int SLOTS = 8192;

  /**
   * One trip.
   *
   * @param at when it set out
   * @param ahead how long the bucket needed from then on to be empty, in microseconds
   */
  record Trip(Place place, long at, long ahead) {

    /** Whether so many units fit, if nobody else came since. */
    boolean leavesRoomFor(long units, Algorithm bucket, long now) {
      State state = new State();
      long elapsed = Math.max(0, now - at);
      bucket.restore(state, ahead, 0, 0);
      bucket.advance(state, elapsed);
      return bucket.waitFor(state, elapsed, units) == 0;
    }
  }

  private final AtomicReferenceArray<@Nullable Trip> slots = new AtomicReferenceArray<>(SLOTS);

  void note(Place place, long at, Decision told) {
    long ahead = TimeUnit.MICROSECONDS.convert(told.resetAfter());
    slots.set(slot(place), new Trip(place.toKeep(), at, ahead));
  }

  /** The last trip to this place, if it is still remembered. */
  @Nullable Trip last(Place place) {
    Trip trip = slots.get(slot(place));
    return trip != null && trip.place.equals(place) ? trip : null;
  }

  private static int slot(Place place) {
    int hash = place.hashCode() * 0x9E3779B9; // neighbouring keys have neighbouring hashes
    return (hash >>> 16) & (SLOTS - 1);
  }
}
