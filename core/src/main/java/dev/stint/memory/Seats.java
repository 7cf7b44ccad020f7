package dev.stint.memory;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Seats to take for one call and give back, by number, so that a hit on a state that must be held
 * allocates nothing. There are more than threads can run at once; a caller that finds none yields.
 *
 * <p>A seat is marked with the id of the thread that has it. A thread is in one call at a time, so
 * one that finds a seat marked with its own id has lost it to an error, and takes it again.
 */
final class Seats {

  private static final int COUNT = 256;

  private final AtomicReferenceArray<Seat> seats = new AtomicReferenceArray<>(COUNT);
  private final AtomicLongArray owners = new AtomicLongArray(COUNT);

  /** The number of a seat that is the caller's until it is given back. */
  int take() {
    long me = Thread.currentThread().getId();
    int place = (int) me & (COUNT - 1);
    for (int tries = 1; ; tries++) {
      if (seats.getAcquire(place) == null) {
        seats.compareAndSet(place, null, new Seat());
      }
      if (owners.compareAndSet(place, 0, me) || owners.get(place) == me) {
        return place;
      }
      place = (place + 1) & (COUNT - 1);
      if (tries % COUNT == 0) {
        Thread.yield();
      }
    }
  }

  Seat get(int place) {
    return seats.getPlain(place);
  }

  /** The release publishes the seat to the thread that takes it next. */
  void giveBack(int place) {
    owners.setRelease(place, 0);
  }
}
