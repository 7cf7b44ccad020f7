package dev.stint.memory;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Seats to take for one call and give back, by number, so that a hit on a state that must be held
 * allocates nothing. There are more than threads can run at once; who finds none yields.
 */
final class Seats {

  private static final int COUNT = 256;

  private final Seat[] seats = new Seat[COUNT];
  private final AtomicIntegerArray taken = new AtomicIntegerArray(COUNT);

  /** The number of a seat that is the caller's until it is given back. */
  int take() {
    int place = (int) Thread.currentThread().getId() & (COUNT - 1);
    for (int tries = 1; !taken.compareAndSet(place, 0, 1); tries++) {
      place = (place + 1) & (COUNT - 1);
      if (tries % COUNT == 0) {
        Thread.yield();
      }
    }
    if (seats[place] == null) {
      seats[place] = new Seat();
    }
    return place;
  }

  Seat get(int place) {
    return seats[place];
  }

  /** The release publishes the seat to whoever takes it next. */
  void giveBack(int place) {
    taken.setRelease(place, 0);
  }
}
