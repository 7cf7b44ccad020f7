package dev.stint;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One call that waits for room. Everything that changes is guarded by {@link WaitingLines}. */
final class Waiter {

  /** What a waiter is to do next. */
  enum Turn {
    /** Ask the store: nobody is ahead. */
    ASK,
    /** Nobody is ahead, and the store has just refused: sleep for as long as it said. */
    SLEEP,
    /** Give up: a waiter ahead sleeps beyond this one's deadline. */
    GIVE_UP
  }

  /** Where each of the limits asked for is counted; null for one that only watches. */
  final List<@Nullable Place> places = new ArrayList<>();

  /** The moment at which to give up. */
  final long deadline;

  /** The order of arrival. */
  final long number;

  /** The lines this waiter stands in, and the wait with which it was refused there, 0 if never. */
  final Map<Place, Long> standing = new HashMap<>();

  /** When it asks again, while it sleeps; else 0. */
  long asleepUntil;

  /** Tells what to do next, while this waiter stands behind another. */
  @Nullable CompletableFuture<Turn> turn;

  /** Of a waiter that gives up, how long the one ahead sleeps. */
  long aheadUntil;

  boolean gone;

  Waiter(List<KeyedLimit> asked, long deadline, long number) {
    for (KeyedLimit one : asked) {
      places.add(one.isShadow() ? null : Place.of(one));
    }
    this.deadline = deadline;
    this.number = number;
  }
}
