package dev.stint.redis;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.Store;
import dev.stint.TimeSource;
import dev.stint.algorithm.Operation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A store that takes the tokens of hot buckets from another by the chunk, see {@link
 * RedisStore#leasing}.
 *
 * <p><em>The excess.</em> What is served in a span of time was charged to the bucket in that span,
 * or was in a lease when it began. Of the first there is never more than the limit admits, of the
 * second never more than a chunk for each instance, because a place has one lease at a time: a
 * lease is emptied before the next is asked for, and no other is asked for while one is under way.
 * What is given back was never served, and so changes neither.
 *
 * <p><em>Who leases.</em> A key is hot if its last hit, or its last trip to the store, is no
 * further back than a quarter of a lease's life; and it asks for a chunk only if the bucket, as
 * last told, has room for one. All other hits go to the store as if there were no leases.
 */
final class Leasing implements Store {

  private static final int MOST_LEASES = 10_000;
  private static final long SHORTEST_PAUSE = 1000;
  private static final long MOST_SECONDS_TO_CLOSE = 2;
  private static final long NO_LOOK = Long.MAX_VALUE;
  private static final long LOST = 1_000_000;

  private final Store store;
  private final @Nullable Delivery delivery;
  private final int chunk;
  private final Semaphore vacancies;
  private final Map<Place, Lease> leases = new ConcurrentHashMap<>();
  private final Trips trips = new Trips();
  private final AtomicLong nextLook = new AtomicLong(NO_LOOK);
  private volatile boolean closed;

  /** A hit's right to tokens of a lease, which had {@code before} until then. */
  private record Ticket(Lease lease, long before) {}

  Leasing(Store store, int chunk) {
    this(store, null, chunk, MOST_LEASES);
  }

  Leasing(Store store, int chunk, int mostLeases) {
    this(store, null, chunk, mostLeases);
  }

  /** Leases of a store whose futures complete inside; they are handed over by {@code delivery}. */
  Leasing(Store store, Delivery delivery, int chunk) {
    this(store, delivery, chunk, MOST_LEASES);
  }

  private Leasing(Store store, @Nullable Delivery delivery, int chunk, int mostLeases) {
    if (chunk < 1) {
      throw new IllegalArgumentException("chunk must be at least 1: " + chunk);
    }
    this.store = store;
    this.delivery = delivery;
    this.chunk = chunk;
    this.vacancies = new Semaphore(mostLeases);
  }

  // Operations

  @Override
  public Decision run(Operation operation, List<KeyedLimit> limits) {
    Store.check(operation, limits);
    if (!isServed(operation, limits)) {
      try {
        return store.run(operation, limits);
      } finally {
        forget(operation, limits);
      }
    }
    StackReserve.check(); // tokens and vacancies are taken from here on
    KeyedLimit hit = limits.get(0);
    Place place = Place.of(hit);
    long now = time().micros();
    Ticket ticket = ticket(place, hit, now);
    if (ticket != null) {
      Optional<Decision> served = await(ticket.lease.serve(ticket.before, hit, now));
      if (served.isPresent()) {
        return served.get();
      }
    }
    Decision decision = store.run(operation, limits);
    trips.note(place, now, decision);
    return decision;
  }

  /** Waits for a trip that somebody else may have begun; the store ends it in time. */
  private static Optional<Decision> await(CompletableFuture<Optional<Decision>> served) {
    try {
      return served.join();
    } catch (CompletionException e) {
      throw StoreFailure.of(e);
    }
  }

  @Override
  public CompletionStage<Decision> runAsync(Operation operation, List<KeyedLimit> limits) {
    Store.check(operation, limits);
    CompletionStage<Decision> inside = runInside(operation, limits);
    return delivery == null ? inside : delivery.of(inside.toCompletableFuture());
  }

  private CompletionStage<Decision> runInside(Operation operation, List<KeyedLimit> limits) {
    if (!isServed(operation, limits)) {
      return store
          .runAsync(operation, limits)
          .whenComplete((done, failure) -> forget(operation, limits));
    }
    StackReserve.check();
    KeyedLimit hit = limits.get(0);
    Place place = Place.of(hit);
    long now = time().micros();
    Ticket ticket = ticket(place, hit, now);
    if (ticket == null) {
      return plain(place, limits, now);
    }
    return ticket
        .lease
        .serve(ticket.before, hit, now)
        .thenCompose(
            served ->
                served.isPresent()
                    ? CompletableFuture.completedStage(served.get())
                    : plain(place, limits, now));
  }

  private CompletionStage<Decision> plain(Place place, List<KeyedLimit> limits, long now) {
    return store
        .runAsync(Operation.HIT, limits)
        .thenApply(
            decision -> {
              trips.note(place, now, decision);
              return decision;
            });
  }

  private boolean isServed(Operation operation, List<KeyedLimit> limits) {
    if (operation != Operation.HIT || limits.size() != 1 || closed) {
      return false;
    }
    KeyedLimit hit = limits.get(0);
    Limit limit = hit.limit();
    // A lease that is refused would be charged where denied hits count, so those are never leased.
    return limit.kind().isBucket()
        && !limit.countsDenied()
        && !hit.isShadow()
        && hit.cost() <= most(limit) / 2;
  }

  /** The most tokens of a limit that a lease takes. */
  private long most(Limit limit) {
    return Math.min(chunk, limit.capacity() / 2);
  }

  /** Drops the leases of what was made anew; to give them back would change what it was made. */
  private void forget(Operation operation, List<KeyedLimit> limits) {
    if (operation != Operation.RESET && operation != Operation.SET) {
      return;
    }
    for (KeyedLimit limit : limits) {
      Place place = Place.of(limit);
      Lease lease = leases.get(place);
      if (lease != null) {
        lease.drain();
        remove(place, lease);
      }
    }
  }

  // Leases

  /** Tokens of the present lease or of a new one; null if this hit must go to the store itself. */
  private @Nullable Ticket ticket(Place place, KeyedLimit hit, long now) {
    for (; ; ) {
      Lease present = leases.get(place);
      if (present != null) {
        if (!present.request().limit().equals(hit.limit())) {
          return null; // another amount of the same limit; one of them leases at a time
        }
        long before = present.take(hit.cost(), now);
        if (before != Lease.NONE) {
          return new Ticket(present, before);
        }
        if (present.isUnderWay()) {
          return null;
        }
      }
      long most = most(hit.limit());
      Lease next = new Lease(hit, most - most % hit.cost(), now);
      if (!isHot(place, present, next, now) || (present == null && !vacancies.tryAcquire())) {
        return null;
      }
      if (install(place, present, next)) {
        fetch(place, next);
        return new Ticket(next, next.request().cost());
      }
    }
  }

  private boolean isHot(Place place, @Nullable Lease present, Lease next, long now) {
    Trips.Trip trip = trips.last(place);
    boolean hot =
        (present != null && !present.isIdle(now))
            || (trip != null && now - trip.at() < next.patience());
    KeyedLimit request = next.request();
    return hot
        && (trip == null || trip.leavesRoomFor(request.cost(), request.limit().algorithm(), now));
  }

  /** Puts a lease in the place of the present one, unless somebody else was faster. */
  private boolean install(Place place, @Nullable Lease present, Lease next) {
    if (present != null) {
      CompletableFuture<?> unused = giveBack(present);
      return leases.replace(place, present, next);
    }
    boolean first = leases.putIfAbsent(place.toKeep(), next) == null;
    if (!first) {
      vacancies.release();
    }
    return first;
  }

  /** Ends with an arrived or a failed lease, whatever is thrown: others wait for it. */
  private void fetch(Place place, Lease lease) {
    try {
      CompletionStage<?> unused =
          request(lease)
              .whenComplete(
                  (answer, failure) -> {
                    if (failure != null) {
                      failed(place, lease, failure);
                    } else {
                      arrived(place, lease, answer);
                    }
                  });
    } catch (Throwable e) {
      failed(place, lease, e);
      throw e;
    }
  }

  private void failed(Place place, Lease lease, Throwable failure) {
    remove(place, lease);
    lease.fail(failure);
  }

  /** Never blocks: who waits for a lease in a future would otherwise go on in our thread. */
  private CompletionStage<Decision> request(Lease lease) {
    try {
      return store.runAsync(Operation.HIT, List.of(lease.request()));
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void arrived(Place place, Lease lease, Decision answer) {
    try {
      trips.note(place, lease.taken(), answer);
      if (lease.arrive(answer) && !closed) {
        lookIn(lease.patience());
      } else {
        CompletableFuture<?> unused = giveBack(lease); // one that came while this is being closed
        remove(place, lease);
      }
    } catch (Throwable e) {
      failed(place, lease, e); // without effect on one that has arrived
      throw e;
    }
  }

  private void remove(Place place, Lease lease) {
    if (leases.remove(place, lease)) {
      vacancies.release();
    }
  }

  /** Gives back what is left, if the store can be told; if not, the bucket refills by itself. */
  private CompletableFuture<?> giveBack(Lease lease) {
    long rest = lease.drain();
    if (rest == 0) {
      return CompletableFuture.completedFuture(null);
    }
    return lease
        .charge(rest)
        .thenCompose(
            charge ->
                charge == null
                    ? CompletableFuture.completedStage(null)
                    : store.runAsync(Operation.UNDO, List.of(charge)))
        .exceptionally(failure -> null);
  }

  // Looking after them

  /** Has somebody look after the leases, so much later at the latest. */
  private void lookIn(long micros) {
    long pause = Math.max(SHORTEST_PAUSE, micros);
    long now = time().micros();
    long due = now + pause;
    // A look that is long overdue has been lost to an Error, and another takes its place.
    for (long next = nextLook.get(); due < next || next < now - LOST; next = nextLook.get()) {
      if (nextLook.compareAndSet(next, due)) {
        CompletableFuture<?> unused = time().delay(pause).thenRun(() -> look(due));
        return;
      }
    }
  }

  private void look(long due) {
    if (!nextLook.compareAndSet(due, NO_LOOK)) {
      return; // an earlier look took the place of this one
    }
    long now = time().micros();
    long pause = NO_LOOK;
    for (Map.Entry<Place, Lease> entry : leases.entrySet()) {
      Lease lease = entry.getValue();
      if (lease.isOver(now)) {
        CompletableFuture<?> unused = giveBack(lease);
        remove(entry.getKey(), lease);
      } else {
        pause = Math.min(pause, lease.patience());
      }
    }
    if (pause != NO_LOOK) {
      lookIn(pause);
    }
  }

  /** How many leases there are. */
  int size() {
    return leases.size();
  }

  @Override
  public void prepare(Collection<Limit> limits) {
    store.prepare(limits);
  }

  @Override
  public Optional<String> trouble() {
    return store.trouble();
  }

  @Override
  public long clean() {
    return store.clean();
  }

  @Override
  public TimeSource time() {
    return store.time();
  }

  /** Gives back what is left of all leases, and takes no more. */
  void giveBack() {
    closed = true;
    List<CompletableFuture<?>> given = new ArrayList<>();
    leases.forEach(
        (place, lease) -> {
          given.add(giveBack(lease));
          remove(place, lease);
        });
    CompletableFuture.allOf(given.toArray(CompletableFuture<?>[]::new))
        .completeOnTimeout(null, MOST_SECONDS_TO_CLOSE, TimeUnit.SECONDS)
        .join();
  }

  @Override
  public void close() {
    giveBack();
    store.close();
  }
}
