package dev.stint;

import dev.stint.algorithm.Operation;
import dev.stint.memory.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides which requests may pass.
 *
 * <pre>{@code
 * RateLimiter limiter = RateLimiter.of(Limit.parse("100/minute"));
 * if (limiter.hit("user:42").allowed()) { ... }
 * }</pre>
 *
 * <p>Every operation comes twice: with a key, for the limits this limiter was made with; and with
 * {@linkplain Limit#on(String) limits on keys}, for limits that are known only in the call, or that
 * are on different keys. Either way, several limits are decided together, all or nothing. And every
 * operation has a twin that ends in {@code Async}; in memory it is done when it returns.
 *
 * <p>{@code hit}, {@code peek} and {@code acquire} never throw because of a store: the request is
 * admitted, and the decision says that it is {@linkplain Decision#degraded() degraded}. The other
 * operations throw {@link StoreException}.
 *
 * <p>A limiter is safe for use by many threads. Make one and keep it.
 */
public final class RateLimiter implements AutoCloseable {

  private final Store store;
  private final boolean ownsStore;
  private final List<Limit> limits;
  private final @Nullable Limit only;

  private RateLimiter(Store store, boolean ownsStore, Limit... limits) {
    this.store = store;
    this.ownsStore = ownsStore;
    this.limits = Calls.distinct(limits);
    this.only = limits.length == 1 ? limits[0] : null;
    store.prepare(this.limits);
  }

  /** A limiter that counts in memory, in a store of its own. */
  public static RateLimiter of(Limit... limits) {
    if (limits.length == 0) {
      throw new IllegalArgumentException(
          "a limiter with a store of its own must have at least one limit: 0");
    }
    return new RateLimiter(MemoryStore.create(), true, limits);
  }

  /** A limiter that counts in {@code store}; without limits it takes those given per call. */
  public static RateLimiter of(Store store, Limit... limits) {
    if (store == null) {
      throw new IllegalArgumentException("store must not be null");
    }
    return new RateLimiter(store, false, limits);
  }

  /** Asks for one unit, and takes it if every limit has room. */
  public Decision hit(String key) {
    return ask(Operation.HIT, Key.of(key), 1);
  }

  /** Asks for {@code cost} units, and takes them if every limit has room. */
  public Decision hit(String key, long cost) {
    return ask(Operation.HIT, Key.of(key), KeyedLimit.positive(cost, "cost"));
  }

  /** Asks for one unit for a key that need not be text, and takes it if every limit has room. */
  public Decision hit(Key key) {
    return ask(Operation.HIT, key, 1);
  }

  /** Asks for {@code cost} units for a key that need not be text. */
  public Decision hit(Key key, long cost) {
    return ask(Operation.HIT, key, KeyedLimit.positive(cost, "cost"));
  }

  /** Asks all these limits, and takes of each its cost if every one has room. */
  public Decision hit(KeyedLimit... limits) {
    return ask(Operation.HIT, limits);
  }

  /** Asks whether one unit would be admitted now, and takes nothing. */
  public Decision peek(String key) {
    return ask(Operation.PEEK, Key.of(key), 1);
  }

  /** Asks whether {@code cost} units would be admitted now, and takes nothing. */
  public Decision peek(String key, long cost) {
    return ask(Operation.PEEK, Key.of(key), KeyedLimit.positive(cost, "cost"));
  }

  /** Asks whether all these limits would admit their costs now, and takes nothing. */
  public Decision peek(KeyedLimit... limits) {
    return ask(Operation.PEEK, limits);
  }

  /**
   * Takes {@code n} units without asking, and returns how many are in use; may exceed the limit.
   */
  public long inc(String key, long n) {
    return run(Operation.INC, all(key, KeyedLimit.positive(n, "n"))).used();
  }

  /** Takes this limit's cost without asking, and returns how many units are in use. */
  public long inc(KeyedLimit limit) {
    return run(Operation.INC, Calls.checked(limit)).used();
  }

  /**
   * Gives back exactly what a decision charged, as far as it still weighs: in a window that is
   * over, nothing does. Refund a decision once.
   */
  public void refund(Decision decision) {
    List<KeyedLimit> charges = Calls.charges(decision);
    if (!charges.isEmpty()) {
      run(Operation.UNDO, charges);
    }
  }

  /** Gives back {@code n} units of what is in use now, never below zero. */
  public void refund(String key, long n) {
    run(Operation.REFUND, all(key, KeyedLimit.positive(n, "n")));
  }

  /** Gives back this limit's cost of what is in use now, never below zero. */
  public void refund(KeyedLimit limit) {
    run(Operation.REFUND, Calls.checked(limit));
  }

  /** Makes the units in use {@code n}. */
  public void set(String key, long n) {
    run(Operation.SET, all(key, Calls.notNegative(n)));
  }

  /** Makes the units of this limit in use {@code n}. */
  public void set(KeyedLimit limit, long n) {
    run(Operation.SET, Calls.counting(limit, n));
  }

  /** Units in use now, of the limit with least left. */
  public long get(String key) {
    return run(Operation.GET, all(key, 1)).used();
  }

  /** Units of this limit in use now. */
  public long get(KeyedLimit limit) {
    return run(Operation.GET, Calls.checked(limit)).used();
  }

  /**
   * When the key is as good as new, in all limits; empty if it is already, {@link Instant#MAX} if a
   * quota was touched.
   */
  public Optional<Instant> expiresAt(String key) {
    return Calls.latest(run(Operation.GET, all(key, 1)));
  }

  /** When the key is as good as new in this limit. */
  public Optional<Instant> expiresAt(KeyedLimit limit) {
    return Calls.latest(run(Operation.GET, Calls.checked(limit)));
  }

  /** Forgets the key. */
  public void reset(String key) {
    run(Operation.RESET, all(key, 1));
  }

  /** Forgets these limits' keys. */
  public void reset(KeyedLimit... limits) {
    run(Operation.RESET, Calls.checked(limits));
  }

  /** Forgets everything that has expired, and tells how much it was. Changes no later decision. */
  public long clean() {
    return store.clean();
  }

  /**
   * Waits until one unit can be taken, and takes it. A wait that is longer than {@code timeout} is
   * refused at once; one that is interrupted takes nothing.
   */
  public Decision acquire(String key, Duration timeout) throws InterruptedException {
    return acquire(key, 1, timeout);
  }

  /** Waits until {@code cost} units can be taken, and takes them. */
  public Decision acquire(String key, long cost, Duration timeout) throws InterruptedException {
    KeyedLimit.positive(cost, "cost");
    Key once = Key.of(key);
    boolean counting = limits.stream().anyMatch(Limit::countsDenied);
    return Waiting.now(
        store.time(), timeout, counting, operation -> ask(operation, once, cost), this::refund);
  }

  /** Waits until all these limits have room, and takes of each its cost. */
  public Decision acquire(Duration timeout, KeyedLimit... limits) throws InterruptedException {
    List<KeyedLimit> asked = Calls.checked(limits);
    return Waiting.now(
        store.time(),
        timeout,
        Calls.isDeniedCounted(asked),
        operation -> ask(operation, asked),
        this::refund);
  }

  /** See {@link #hit(String)}. */
  public CompletionStage<Decision> hitAsync(String key) {
    return askAsync(Operation.HIT, all(key, 1));
  }

  /** See {@link #hit(String, long)}. */
  public CompletionStage<Decision> hitAsync(String key, long cost) {
    return askAsync(Operation.HIT, all(key, KeyedLimit.positive(cost, "cost")));
  }

  /** See {@link #hit(KeyedLimit...)}. */
  public CompletionStage<Decision> hitAsync(KeyedLimit... limits) {
    return askAsync(Operation.HIT, Calls.checked(limits));
  }

  /** See {@link #peek(String)}. */
  public CompletionStage<Decision> peekAsync(String key) {
    return askAsync(Operation.PEEK, all(key, 1));
  }

  /** See {@link #peek(String, long)}. */
  public CompletionStage<Decision> peekAsync(String key, long cost) {
    return askAsync(Operation.PEEK, all(key, KeyedLimit.positive(cost, "cost")));
  }

  /** See {@link #peek(KeyedLimit...)}. */
  public CompletionStage<Decision> peekAsync(KeyedLimit... limits) {
    return askAsync(Operation.PEEK, Calls.checked(limits));
  }

  /** See {@link #inc(String, long)}. */
  public CompletionStage<Long> incAsync(String key, long n) {
    return runAsync(Operation.INC, all(key, KeyedLimit.positive(n, "n")), Decision::used);
  }

  /** See {@link #inc(KeyedLimit)}. */
  public CompletionStage<Long> incAsync(KeyedLimit limit) {
    return runAsync(Operation.INC, Calls.checked(limit), Decision::used);
  }

  /** See {@link #refund(Decision)}. */
  public CompletionStage<Void> refundAsync(Decision decision) {
    List<KeyedLimit> charges = Calls.charges(decision);
    return charges.isEmpty()
        ? CompletableFuture.completedFuture(null)
        : store.runAsync(Operation.UNDO, charges).thenAccept(done -> {});
  }

  /** See {@link #refund(String, long)}. */
  public CompletionStage<Void> refundAsync(String key, long n) {
    return store
        .runAsync(Operation.REFUND, all(key, KeyedLimit.positive(n, "n")))
        .thenAccept(done -> {});
  }

  /** See {@link #refund(KeyedLimit)}. */
  public CompletionStage<Void> refundAsync(KeyedLimit limit) {
    return store.runAsync(Operation.REFUND, Calls.checked(limit)).thenAccept(done -> {});
  }

  /** See {@link #set(String, long)}. */
  public CompletionStage<Void> setAsync(String key, long n) {
    return store.runAsync(Operation.SET, all(key, Calls.notNegative(n))).thenAccept(done -> {});
  }

  /** See {@link #set(KeyedLimit, long)}. */
  public CompletionStage<Void> setAsync(KeyedLimit limit, long n) {
    List<KeyedLimit> one = Calls.counting(limit, n);
    return store.runAsync(Operation.SET, one).thenAccept(done -> {});
  }

  /** See {@link #get(String)}. */
  public CompletionStage<Long> getAsync(String key) {
    return runAsync(Operation.GET, all(key, 1), Decision::used);
  }

  /** See {@link #get(KeyedLimit)}. */
  public CompletionStage<Long> getAsync(KeyedLimit limit) {
    return runAsync(Operation.GET, Calls.checked(limit), Decision::used);
  }

  /** See {@link #expiresAt(String)}. */
  public CompletionStage<Optional<Instant>> expiresAtAsync(String key) {
    return runAsync(Operation.GET, all(key, 1), Calls::latest);
  }

  /** See {@link #expiresAt(KeyedLimit)}. */
  public CompletionStage<Optional<Instant>> expiresAtAsync(KeyedLimit limit) {
    return runAsync(Operation.GET, Calls.checked(limit), Calls::latest);
  }

  /** See {@link #reset(String)}. */
  public CompletionStage<Void> resetAsync(String key) {
    return store.runAsync(Operation.RESET, all(key, 1)).thenAccept(done -> {});
  }

  /** See {@link #reset(KeyedLimit...)}. */
  public CompletionStage<Void> resetAsync(KeyedLimit... limits) {
    return store.runAsync(Operation.RESET, Calls.checked(limits)).thenAccept(done -> {});
  }

  /** See {@link #clean()}. */
  public CompletionStage<Long> cleanAsync() {
    try {
      return CompletableFuture.completedFuture(clean());
    } catch (StoreException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** See {@link #acquire(String, Duration)}. Cancelling the future takes nothing. */
  public CompletableFuture<Decision> acquireAsync(String key, Duration timeout) {
    return acquireAsync(key, 1, timeout);
  }

  /** See {@link #acquire(String, long, Duration)}. Cancelling the future takes nothing. */
  public CompletableFuture<Decision> acquireAsync(String key, long cost, Duration timeout) {
    return acquireAsync(timeout, all(key, KeyedLimit.positive(cost, "cost")));
  }

  /** See {@link #acquire(Duration, KeyedLimit...)}. Cancelling the future takes nothing. */
  public CompletableFuture<Decision> acquireAsync(Duration timeout, KeyedLimit... limits) {
    return acquireAsync(timeout, Calls.checked(limits));
  }

  private CompletableFuture<Decision> acquireAsync(Duration timeout, List<KeyedLimit> asked) {
    return Waiting.async(
        store.time(),
        timeout,
        Calls.isDeniedCounted(asked),
        operation -> askAsync(operation, asked),
        this::refundAsync);
  }

  /** Closes the store, if it is this limiter's own. */
  @Override
  public void close() {
    if (ownsStore) {
      store.close();
    }
  }

  private Decision ask(Operation operation, Key key, long cost) {
    Limit single = only;
    if (single == null) {
      return ask(operation, Calls.on(limits, key, cost));
    }
    return store.ask(operation, single, key, cost);
  }

  private Decision ask(Operation operation, KeyedLimit... asked) {
    return ask(operation, Calls.checked(asked));
  }

  private Decision ask(Operation operation, List<KeyedLimit> asked) {
    try {
      return store.run(operation, asked);
    } catch (StoreException e) {
      return Calls.degraded(store, asked, e);
    }
  }

  private CompletionStage<Decision> askAsync(Operation operation, List<KeyedLimit> asked) {
    CompletionStage<Decision> answer;
    try {
      answer = store.runAsync(operation, asked);
    } catch (StoreException e) { // a store may fail before it has a future
      return CompletableFuture.completedFuture(Calls.degraded(store, asked, e));
    }
    return answer.exceptionally(failure -> Calls.degraded(store, asked, failure));
  }

  private Decision run(Operation operation, List<KeyedLimit> limits) {
    return store.run(operation, limits);
  }

  private <T> CompletionStage<T> runAsync(
      Operation operation, List<KeyedLimit> limits, Function<Decision, T> answer) {
    return store.runAsync(operation, limits).thenApply(answer);
  }

  private List<KeyedLimit> all(String key, long n) {
    return Calls.on(limits, Key.of(key), n);
  }
}
