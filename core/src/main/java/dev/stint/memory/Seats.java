package dev.stint.memory;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Seats to take for one call and give back, by number, so that a hit on a state that must be held
 * allocates nothing. There are more than threads can run at once. Should all be taken, or some be
 * lost because a thread failed before it could give its seat back, there are more behind them.
 */
final class Seats {

  private static final int COUNT = 256;

  // One cache line for each, and its neighbour, which processors fetch with it: threads whose
  // numbers follow one another take neighbouring seats at every call.
  private static final int STRIDE = 128 / Integer.BYTES;

  private final AtomicReferenceArray<Seat> seats = new AtomicReferenceArray<>(COUNT);
  private final AtomicIntegerArray taken = new AtomicIntegerArray(COUNT * STRIDE);
  private volatile @Nullable Seats more;

  /** The number of a seat that is the caller's until it is given back. */
  int take() {
    int start = (int) Thread.currentThread().getId();
    for (int i = 0; i < COUNT; i++) {
      int place = (start + i) & (COUNT - 1);
      if (seats.getAcquire(place) == null) {
        seats.compareAndSet(place, null, new Seat());
      }
      if (taken.compareAndSet(place * STRIDE, 0, 1)) {
        return place;
      }
    }
    return COUNT + more().take();
  }

  private synchronized Seats more() {
    Seats known = more;
    if (known == null) {
      known = new Seats();
      more = known;
    }
    return known;
  }

  Seat get(int place) {
    return place < COUNT ? seats.getPlain(place) : more().get(place - COUNT);
  }

  /** The release publishes the seat to the thread that takes it next. */
  void giveBack(int place) {
    if (place < COUNT) {
      taken.setRelease(place * STRIDE, 0);
    } else {
      more().giveBack(place - COUNT);
    }
  }
}
