package dev.stint;

import dev.stint.Waiter.Turn;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The lines in which calls of {@code acquire} wait for room in one store.
 *
 * <p>There is a line for each place (limit and key) that has refused a waiter, in the order of
 * arrival. Only a waiter that is first in all lines it stands in asks the store. So what comes free
 * while the first one waits for many units adds up, although those behind it want few.
 *
 * <p>A waiter for several limits stands in the lines of those that refused it, and holds nothing up
 * at the others: a user whose own limit is used up must not stop everyone at the limit they share.
 * It keeps its place in a line as long as its current wait is no longer than its longest wait
 * there. Without this, two busy limits could refuse it alternately for ever. Before it asks, it
 * also joins the lines that others have formed at its places. Lines are ordered by arrival, not by
 * the time of joining: the oldest waiter is first wherever it stands, so no two wait for each
 * other.
 *
 * <p>A waiter behind another has no timer. It gives up as soon as one ahead goes to sleep beyond
 * its deadline; until then its deadline cannot pass unless a store takes long to answer.
 *
 * <p>The lock is held for a few steps on these collections, never while a store is asked, a thread
 * parks or a future completes. Lines that are empty are removed.
 */
final class WaitingLines {

  private static final Comparator<Waiter> BY_ARRIVAL =
      Comparator.comparingLong(waiter -> waiter.number);

  // One for each store, so that all limiters on it share its lines.
  private static final Map<Store, WaitingLines> OF_STORES =
      Collections.synchronizedMap(new WeakHashMap<>());

  private static final CompletableFuture<Turn> GIVE_UP =
      CompletableFuture.completedFuture(Turn.GIVE_UP);

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Place, TreeSet<Waiter>> lines = new HashMap<>();
  private final AtomicLong arrivals = new AtomicLong();
  private final AtomicInteger size = new AtomicInteger();

  /** Something to tell a waiter once the lock is free. */
  private record Signal(CompletableFuture<Turn> turn, Turn told) {}

  /** The lines of a store. */
  static WaitingLines of(Store store) {
    return OF_STORES.computeIfAbsent(store, any -> new WaitingLines());
  }

  /** The next number in the order of arrival. */
  long number() {
    return arrivals.getAndIncrement();
  }

  /** How many wait. */
  int size() {
    return size.get();
  }

  /** Whether nobody waits for any of these limits. */
  boolean areFree(List<KeyedLimit> asked) {
    if (size.get() == 0) {
      return true;
    }
    lock.lock();
    try {
      for (KeyedLimit one : asked) {
        if (!one.isShadow() && lines.containsKey(Place.of(one))) {
          return false;
        }
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** A new waiter, which stands in no line yet. It must {@link #leave} in the end. */
  Waiter arrive(List<KeyedLimit> asked, long deadline, long number) {
    Waiter waiter = new Waiter(asked, deadline, number);
    size.incrementAndGet();
    return waiter;
  }

  /** Joins the lines at a waiter's places. What to do next is told once it is first in all. */
  CompletableFuture<Turn> enter(Waiter waiter, long now) {
    List<Signal> signals = new ArrayList<>();
    lock.lock();
    try {
      if (waiter.gone) {
        return GIVE_UP;
      }
      waiter.asleepUntil = 0;
      for (Place place : waiter.places) {
        if (place != null && lines.containsKey(place)) {
          stand(waiter, place);
        }
      }
      return next(waiter, Turn.ASK, now, signals);
    } finally {
      lock.unlock();
      send(signals);
    }
  }

  /** Has a waiter that the store refused stand where it was refused. */
  CompletableFuture<Turn> refused(Waiter waiter, Decision refusal, long now) {
    List<Signal> signals = new ArrayList<>();
    lock.lock();
    try {
      if (waiter.gone) {
        return GIVE_UP;
      }
      Set<Place> refusing = new HashSet<>();
      List<Decision> answers = refusal.limits();
      for (int i = 0; i < answers.size(); i++) {
        Place place = waiter.places.get(i);
        if (place != null && !answers.get(i).allowed()) {
          refusing.add(place);
          stand(waiter, place);
          waiter.standing.merge(place, answers.get(i).waitMicros(), Math::max);
        }
      }
      long wait = refusal.waitMicros();
      release(waiter, wait, refusing, signals);
      if (isFirst(waiter)) {
        waiter.asleepUntil = now + wait;
        dismissBehind(waiter, waiter.asleepUntil, signals);
      }
      return next(waiter, Turn.SLEEP, now, signals);
    } finally {
      lock.unlock();
      send(signals);
    }
  }

  /** Leaves all lines, once and for all. */
  void leave(Waiter waiter) {
    List<Signal> signals = List.of();
    lock.lock();
    try {
      if (!waiter.gone) {
        waiter.gone = true; // before anything is allocated: those behind it must not wait for it
        size.decrementAndGet();
        signals = new ArrayList<>();
        stepOut(waiter, signals);
      }
    } finally {
      lock.unlock();
      send(signals);
    }
  }

  private static void send(List<Signal> signals) {
    for (Signal signal : signals) {
      signal.turn.complete(signal.told);
    }
  }

  // Under the lock

  private CompletableFuture<Turn> next(Waiter waiter, Turn ifFirst, long now, List<Signal> out) {
    if (isFirst(waiter)) {
      return CompletableFuture.completedFuture(ifFirst);
    }
    long until = aheadUntil(waiter);
    if (until > waiter.deadline) {
      waiter.aheadUntil = until;
      stepOut(waiter, out);
      return GIVE_UP;
    }
    release(waiter, until - now, Set.of(), out);
    dismissBehind(waiter, until, out);
    CompletableFuture<Turn> turn = new CompletableFuture<>();
    waiter.turn = turn;
    for (Place place : waiter.standing.keySet()) {
      tellIfFirst(first(place), out); // it knows, unless memory ran out when it was to be told
    }
    return turn;
  }

  private void stand(Waiter waiter, Place place) {
    if (waiter.standing.putIfAbsent(place, 0L) == null) {
      lines.computeIfAbsent(place, any -> new TreeSet<>(BY_ARRIVAL)).add(waiter);
    }
  }

  private boolean isFirst(Waiter waiter) {
    for (Place place : waiter.standing.keySet()) {
      if (first(place) != waiter) {
        return false;
      }
    }
    return true;
  }

  /** The head of a line. Drops waiters that left but were not removed for lack of memory. */
  private @Nullable Waiter first(Place place) {
    TreeSet<Waiter> line = lines.get(place);
    while (line != null && !line.isEmpty() && line.first().gone) {
      line.pollFirst();
    }
    return line == null || line.isEmpty() ? null : line.first();
  }

  /** Steps out of the lines that it is first in, and in which it waited less than it must now. */
  private void release(Waiter waiter, long wait, Set<Place> except, List<Signal> out) {
    for (Place place : List.copyOf(waiter.standing.keySet())) {
      boolean brief = waiter.standing.getOrDefault(place, 0L) < wait;
      if (brief && first(place) == waiter && !except.contains(place)) {
        stepOut(waiter, place, out);
      }
    }
  }

  private void stepOut(Waiter waiter, List<Signal> out) {
    for (Place place : List.copyOf(waiter.standing.keySet())) {
      stepOut(waiter, place, out);
    }
  }

  private void stepOut(Waiter waiter, Place place, List<Signal> out) {
    TreeSet<Waiter> line = lines.get(place);
    if (line != null) {
      line.remove(waiter);
      Waiter first = first(place);
      if (first == null) {
        lines.remove(place);
      } else {
        tellIfFirst(first, out);
      }
    }
    waiter.standing.remove(place);
  }

  private void tellIfFirst(@Nullable Waiter waiter, List<Signal> out) {
    if (waiter != null && waiter.turn != null && isFirst(waiter)) {
      tell(waiter, Turn.ASK, out);
    }
  }

  private static void tell(Waiter waiter, Turn told, List<Signal> out) {
    CompletableFuture<Turn> turn = waiter.turn;
    if (turn != null) {
      out.add(new Signal(turn, told));
      waiter.turn = null;
    }
  }

  /** Until when those sleep that a waiter waits for, directly or behind others; 0 if none does. */
  private long aheadUntil(Waiter waiter) {
    long until = 0;
    Set<Waiter> seen = new HashSet<>();
    Deque<Waiter> open = new ArrayDeque<>();
    open.add(waiter);
    for (Waiter one = open.poll(); one != null; one = open.poll()) {
      for (Place place : one.standing.keySet()) {
        Waiter first = first(place);
        if (first != null && first != one && seen.add(first)) {
          until = Math.max(until, first.asleepUntil);
          open.add(first);
        }
      }
    }
    return until;
  }

  /**
   * Rejects all waiters queued behind this one, directly or indirectly, whose deadline is before
   * {@code until}: the earliest moment at which it may ask.
   */
  private void dismissBehind(Waiter ahead, long until, List<Signal> out) {
    List<Waiter> late = new ArrayList<>();
    Set<Waiter> seen = new HashSet<>();
    Deque<Waiter> open = new ArrayDeque<>();
    open.add(ahead);
    for (Waiter one = open.poll(); one != null; one = open.poll()) {
      for (Place place : one.standing.keySet()) {
        TreeSet<Waiter> line = lines.get(place);
        if (line == null) {
          continue;
        }
        for (Waiter behind : line.tailSet(one, false)) {
          if (behind.deadline < until) {
            late.add(behind);
          } else if (behind.standing.size() > 1 && seen.add(behind)) {
            open.add(behind);
          }
        }
      }
    }
    for (Waiter one : late) {
      if (one.turn != null) {
        one.aheadUntil = until;
        tell(one, Turn.GIVE_UP, out);
        stepOut(one, out);
      }
    }
  }
}
