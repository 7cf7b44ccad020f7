package dev.stint;

import dev.stint.algorithm.Operation;
import dev.stint.memory.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides which requests may pass.
 *
 * <pre>{@code
 * RateLimiter limiter = RateLimiter.of(Limit.parse("100/minute"));
 * if (limiter.hit("user:42").allowed()) { ... }
 * }</pre>
 *
 * <p>Every operation takes a key, for the limits this limiter was made with: a {@code String}, or a
 * {@link Key} of bytes or a number. Or it takes {@linkplain Limit#on(String) limits on keys}, for
 * limits that are known only in the call or that are on different keys. Either way, several limits
 * are decided together, all or nothing. And every operation has a twin that ends in {@code Async};
 * in memory it is done when it returns.
 *
 * <p>{@code hit}, {@code peek} and {@code acquire} never throw because of a store: the request is
 * admitted, and the decision says that it is {@linkplain Decision#degraded() degraded}. The other
 * operations throw {@link StoreException}. Arguments that make no sense, such as an empty key or a
 * cost below 1, are refused with an {@link IllegalArgumentException} before the store is asked.
 *
 * <p>A limiter is safe for use by many threads. Make one and keep it.
 */
public final class RateLimiter implements AutoCloseable {

  private final Store store;
  private final boolean ownsStore;
  private final List<Limit> limits;
  private final @Nullable Limit only;
  private final @Nullable Executor executor;

  // Looked up by the first call that waits.
  private volatile @Nullable WaitingLines lines;

  private RateLimiter(
      Store store, boolean ownsStore, @Nullable Executor executor, List<Limit> limits) {
    this.store = store;
    this.ownsStore = ownsStore;
    this.executor = executor;
    this.limits = limits;
    this.only = limits.size() == 1 ? limits.get(0) : null;
    store.prepare(limits);
  }

  /** A limiter that counts in memory, in a store of its own. */
  public static RateLimiter of(Limit... limits) {
    List<Limit> distinct = Calls.distinct(limits);
    if (distinct.isEmpty()) {
      throw new IllegalArgumentException(
          "a limiter with a store of its own must have at least one limit: 0");
    }
    return new RateLimiter(MemoryStore.create(), true, null, distinct);
  }

  /** A limiter that counts in {@code store}; without limits it takes those given per call. */
  public static RateLimiter of(Store store, Limit... limits) {
    if (store == null) {
      throw new IllegalArgumentException("store must not be null");
    }
    return new RateLimiter(store, false, null, Calls.distinct(limits));
  }

  /**
   * This limiter, completing the futures of {@code acquireAsync} on {@code executor}. Otherwise
   * they complete on the {@linkplain TimeSource#executor() executor of the clock}. Closing either
   * limiter closes both.
   */
  public RateLimiter completingOn(Executor executor) {
    if (executor == null) {
      throw new IllegalArgumentException("executor must not be null");
    }
    return new RateLimiter(store, ownsStore, executor, limits);
  }

  // ---- Asking

  /** Asks for one unit, and takes it if every limit has room. */
  public Decision hit(String key) {
    return ask(Operation.HIT, Key.of(key), 1);
  }

  /** Asks for {@code cost} units, and takes them if every limit has room. */
  public Decision hit(String key, long cost) {
    return ask(Operation.HIT, Key.of(key), KeyedLimit.positive(cost, "cost"));
  }

  /** See {@link #hit(String)}. */
  public Decision hit(Key key) {
    return ask(Operation.HIT, Key.required(key), 1);
  }

  /** See {@link #hit(String, long)}. */
  public Decision hit(Key key, long cost) {
    return ask(Operation.HIT, Key.required(key), KeyedLimit.positive(cost, "cost"));
  }

  /** Asks all these limits, and takes of each its cost if every one has room. */
  public Decision hit(KeyedLimit... limits) {
    return ask(Operation.HIT, Calls.checked(Operation.HIT, limits));
  }

  /** Asks this limit, and takes its cost if it has room. */
  public Decision hit(KeyedLimit limit) {
    return ask(Operation.HIT, limit);
  }

  /** Asks whether one unit would be admitted now, and takes nothing. */
  public Decision peek(String key) {
    return ask(Operation.PEEK, Key.of(key), 1);
  }

  /** Asks whether {@code cost} units would be admitted now, and takes nothing. */
  public Decision peek(String key, long cost) {
    return ask(Operation.PEEK, Key.of(key), KeyedLimit.positive(cost, "cost"));
  }

  /** See {@link #peek(String)}. */
  public Decision peek(Key key) {
    return ask(Operation.PEEK, Key.required(key), 1);
  }

  /** See {@link #peek(String, long)}. */
  public Decision peek(Key key, long cost) {
    return ask(Operation.PEEK, Key.required(key), KeyedLimit.positive(cost, "cost"));
  }

  /** Asks whether all these limits would admit their costs now, and takes nothing. */
  public Decision peek(KeyedLimit... limits) {
    return ask(Operation.PEEK, Calls.checked(Operation.PEEK, limits));
  }

  /** Asks whether this limit would admit its cost now, and takes nothing. */
  public Decision peek(KeyedLimit limit) {
    return ask(Operation.PEEK, limit);
  }

  // ---- Waiting

  /**
   * Waits until one unit can be taken, and takes it; see {@link #acquire(Duration, KeyedLimit...)}.
   */
  public Decision acquire(String key, Duration timeout) throws InterruptedException {
    return acquire(Key.of(key), 1, timeout);
  }

  /** Waits until {@code cost} units can be taken, and takes them. */
  public Decision acquire(String key, long cost, Duration timeout) throws InterruptedException {
    return acquire(Key.of(key), cost, timeout);
  }

  /** See {@link #acquire(String, Duration)}. */
  public Decision acquire(Key key, Duration timeout) throws InterruptedException {
    return acquire(key, 1, timeout);
  }

  /** See {@link #acquire(String, long, Duration)}. */
  public Decision acquire(Key key, long cost, Duration timeout) throws InterruptedException {
    return waiting(all(key, KeyedLimit.positive(cost, "cost")), timeout).block();
  }

  /**
   * Waits until all these limits have room, and takes of each its cost.
   *
   * <p>Calls that wait for the same limit and key are served in the order in which they came,
   * whatever their costs, as far as they are made in this process and on the same store: while the
   * first one waits, those behind it take nothing. Calls of {@code hit} are not held up by it, nor
   * do they wait.
   *
   * <p>A call that cannot get in within {@code timeout}, because of the limits or of those that
   * wait ahead of it, is refused at once. The timeout does not include the time that the store
   * takes to answer. A call that is refused or interrupted has taken nothing, even where a limit
   * {@linkplain Limit#countingDenied() counts denied hits}.
   */
  public Decision acquire(Duration timeout, KeyedLimit... limits) throws InterruptedException {
    return waiting(Calls.checked(Operation.HIT, limits), timeout).block();
  }

  /**
   * How many calls of {@code acquire} and {@code acquireAsync} wait for room now, by all limiters
   * on this store.
   */
  public int waiting() {
    return lines().size();
  }

  // ---- Taking and giving back without asking

  /**
   * Takes {@code n} units of every limit without asking, and returns how many are in use in the one
   * with least left, which may exceed the limit. {@link #charge(String, long)} says which one that
   * is.
   */
  public long inc(String key, long n) {
    return charge(key, n).used();
  }

  /** See {@link #inc(String, long)}. */
  public long inc(Key key, long n) {
    return charge(key, n).used();
  }

  /** Takes this limit's cost without asking, and returns how many units are in use. */
  public long inc(KeyedLimit limit) {
    return charge(limit).used();
  }

  /**
   * Takes {@code n} units of every limit without asking, and describes all of them afterwards:
   * {@link Decision#limit()} is the one with least left, and {@link Decision#limits()} has each.
   *
   * <p>Nothing was asked, so the decision is always {@linkplain Decision#allowed() allowed}, and
   * there is nothing in it to {@linkplain #refund(Decision) refund}.
   */
  public Decision charge(String key, long n) {
    return charge(Key.of(key), n);
  }

  /** See {@link #charge(String, long)}. */
  public Decision charge(Key key, long n) {
    return run(Operation.INC, all(key, KeyedLimit.positive(n, "n")));
  }

  /**
   * Takes of each of these limits its cost without asking, and describes all of them afterwards.
   */
  public Decision charge(KeyedLimit... limits) {
    return run(Operation.INC, Calls.checked(Operation.INC, limits));
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
    refund(Key.of(key), n);
  }

  /** See {@link #refund(String, long)}. */
  public void refund(Key key, long n) {
    run(Operation.REFUND, all(key, KeyedLimit.positive(n, "n")));
  }

  /** Gives back this limit's cost of what is in use now, never below zero. */
  public void refund(KeyedLimit limit) {
    run(Operation.REFUND, Calls.checked(Operation.REFUND, limit));
  }

  // ---- Looking and setting

  /**
   * How many units are in use now, in the limit with least left. {@link #usage(String)} says which
   * one that is.
   */
  public long get(String key) {
    return usage(key).used();
  }

  /** See {@link #get(String)}. */
  public long get(Key key) {
    return usage(key).used();
  }

  /** How many units of this limit are in use now. */
  public long get(KeyedLimit limit) {
    return usage(limit).used();
  }

  /**
   * Describes what is in use now, and changes nothing: {@link Decision#limit()} is the limit with
   * least left, and {@link Decision#limits()} has each.
   *
   * <p>Nothing was asked, so the decision is always {@linkplain Decision#allowed() allowed}; to
   * know whether a hit would be, {@link #peek(String) peek}.
   */
  public Decision usage(String key) {
    return usage(Key.of(key));
  }

  /** See {@link #usage(String)}. */
  public Decision usage(Key key) {
    return run(Operation.GET, all(key, 1));
  }

  /** Describes what is in use of these limits now, and changes nothing. */
  public Decision usage(KeyedLimit... limits) {
    return run(Operation.GET, Calls.checked(Operation.GET, limits));
  }

  /**
   * When the key is as good as new, in all limits; empty if it is already, {@link Instant#MAX} if a
   * quota was touched.
   */
  public Optional<Instant> expiresAt(String key) {
    return Calls.latest(usage(key));
  }

  /** See {@link #expiresAt(String)}. */
  public Optional<Instant> expiresAt(Key key) {
    return Calls.latest(usage(key));
  }

  /** When the key is as good as new in this limit. */
  public Optional<Instant> expiresAt(KeyedLimit limit) {
    return Calls.latest(usage(limit));
  }

  /** Makes the units in use {@code n}, in all limits. */
  public void set(String key, long n) {
    set(Key.of(key), n);
  }

  /** See {@link #set(String, long)}. */
  public void set(Key key, long n) {
    run(Operation.SET, all(key, n));
  }

  /** Makes the units of this limit in use {@code n}. */
  public void set(KeyedLimit limit, long n) {
    run(Operation.SET, Calls.counting(limit, n));
  }

  /** Forgets the key, in all limits. */
  public void reset(String key) {
    reset(Key.of(key));
  }

  /** See {@link #reset(String)}. */
  public void reset(Key key) {
    run(Operation.RESET, all(key, 1));
  }

  /** Forgets these limits' keys. */
  public void reset(KeyedLimit... limits) {
    run(Operation.RESET, Calls.checked(Operation.RESET, limits));
  }

  /** Forgets everything that has expired, and tells how much it was. Changes no later decision. */
  public long clean() {
    return store.clean();
  }

  /** Closes the store, if it is this limiter's own. What is asked of it afterwards fails. */
  @Override
  public void close() {
    if (ownsStore) {
      store.close();
    }
  }

  // ---- The same without blocking

  /** See {@link #hit(String)}. */
  public CompletionStage<Decision> hitAsync(String key) {
    return askAsync(Operation.HIT, all(Key.of(key), 1));
  }

  /** See {@link #hit(String, long)}. */
  public CompletionStage<Decision> hitAsync(String key, long cost) {
    return hitAsync(Key.of(key), cost);
  }

  /** See {@link #hit(Key)}. */
  public CompletionStage<Decision> hitAsync(Key key) {
    return askAsync(Operation.HIT, all(key, 1));
  }

  /** See {@link #hit(Key, long)}. */
  public CompletionStage<Decision> hitAsync(Key key, long cost) {
    return askAsync(Operation.HIT, all(key, KeyedLimit.positive(cost, "cost")));
  }

  /** See {@link #hit(KeyedLimit...)}. */
  public CompletionStage<Decision> hitAsync(KeyedLimit... limits) {
    return askAsync(Operation.HIT, Calls.checked(Operation.HIT, limits));
  }

  /** See {@link #peek(String)}. */
  public CompletionStage<Decision> peekAsync(String key) {
    return askAsync(Operation.PEEK, all(Key.of(key), 1));
  }

  /** See {@link #peek(String, long)}. */
  public CompletionStage<Decision> peekAsync(String key, long cost) {
    return peekAsync(Key.of(key), cost);
  }

  /** See {@link #peek(Key)}. */
  public CompletionStage<Decision> peekAsync(Key key) {
    return askAsync(Operation.PEEK, all(key, 1));
  }

  /** See {@link #peek(Key, long)}. */
  public CompletionStage<Decision> peekAsync(Key key, long cost) {
    return askAsync(Operation.PEEK, all(key, KeyedLimit.positive(cost, "cost")));
  }

  /** See {@link #peek(KeyedLimit...)}. */
  public CompletionStage<Decision> peekAsync(KeyedLimit... limits) {
    return askAsync(Operation.PEEK, Calls.checked(Operation.PEEK, limits));
  }

  /** See {@link #acquire(String, Duration)}. Cancelling the future takes nothing. */
  public CompletableFuture<Decision> acquireAsync(String key, Duration timeout) {
    return acquireAsync(Key.of(key), 1, timeout);
  }

  /** See {@link #acquire(String, long, Duration)}. Cancelling the future takes nothing. */
  public CompletableFuture<Decision> acquireAsync(String key, long cost, Duration timeout) {
    return acquireAsync(Key.of(key), cost, timeout);
  }

  /** See {@link #acquire(Key, Duration)}. Cancelling the future takes nothing. */
  public CompletableFuture<Decision> acquireAsync(Key key, Duration timeout) {
    return acquireAsync(key, 1, timeout);
  }

  /** See {@link #acquire(Key, long, Duration)}. Cancelling the future takes nothing. */
  public CompletableFuture<Decision> acquireAsync(Key key, long cost, Duration timeout) {
    return waiting(all(key, KeyedLimit.positive(cost, "cost")), timeout).promise();
  }

  /**
   * See {@link #acquire(Duration, KeyedLimit...)}.
   *
   * <p>A future that is cancelled, or completed by its holder, gives up its place in the line at
   * once and takes nothing. One that has to wait completes on the {@linkplain TimeSource#executor()
   * executor of the clock}, or on the one {@linkplain #completingOn given}, never on a thread that
   * serves timers or connections: what follows it may block.
   */
  public CompletableFuture<Decision> acquireAsync(Duration timeout, KeyedLimit... limits) {
    return waiting(Calls.checked(Operation.HIT, limits), timeout).promise();
  }

  /** See {@link #inc(String, long)}. */
  public CompletionStage<Long> incAsync(String key, long n) {
    return chargeAsync(key, n).thenApply(Decision::used);
  }

  /** See {@link #inc(Key, long)}. */
  public CompletionStage<Long> incAsync(Key key, long n) {
    return chargeAsync(key, n).thenApply(Decision::used);
  }

  /** See {@link #inc(KeyedLimit)}. */
  public CompletionStage<Long> incAsync(KeyedLimit limit) {
    return chargeAsync(limit).thenApply(Decision::used);
  }

  /** See {@link #charge(String, long)}. */
  public CompletionStage<Decision> chargeAsync(String key, long n) {
    return chargeAsync(Key.of(key), n);
  }

  /** See {@link #charge(Key, long)}. */
  public CompletionStage<Decision> chargeAsync(Key key, long n) {
    return runAsync(Operation.INC, all(key, KeyedLimit.positive(n, "n")));
  }

  /** See {@link #charge(KeyedLimit...)}. */
  public CompletionStage<Decision> chargeAsync(KeyedLimit... limits) {
    return runAsync(Operation.INC, Calls.checked(Operation.INC, limits));
  }

  /** See {@link #refund(Decision)}. */
  public CompletionStage<Void> refundAsync(Decision decision) {
    List<KeyedLimit> charges = Calls.charges(decision);
    return charges.isEmpty()
        ? CompletableFuture.completedFuture(null)
        : tellAsync(Operation.UNDO, charges);
  }

  /** See {@link #refund(String, long)}. */
  public CompletionStage<Void> refundAsync(String key, long n) {
    return refundAsync(Key.of(key), n);
  }

  /** See {@link #refund(Key, long)}. */
  public CompletionStage<Void> refundAsync(Key key, long n) {
    return tellAsync(Operation.REFUND, all(key, KeyedLimit.positive(n, "n")));
  }

  /** See {@link #refund(KeyedLimit)}. */
  public CompletionStage<Void> refundAsync(KeyedLimit limit) {
    return tellAsync(Operation.REFUND, Calls.checked(Operation.REFUND, limit));
  }

  /** See {@link #get(String)}. */
  public CompletionStage<Long> getAsync(String key) {
    return usageAsync(key).thenApply(Decision::used);
  }

  /** See {@link #get(Key)}. */
  public CompletionStage<Long> getAsync(Key key) {
    return usageAsync(key).thenApply(Decision::used);
  }

  /** See {@link #get(KeyedLimit)}. */
  public CompletionStage<Long> getAsync(KeyedLimit limit) {
    return usageAsync(limit).thenApply(Decision::used);
  }

  /** See {@link #usage(String)}. */
  public CompletionStage<Decision> usageAsync(String key) {
    return usageAsync(Key.of(key));
  }

  /** See {@link #usage(Key)}. */
  public CompletionStage<Decision> usageAsync(Key key) {
    return runAsync(Operation.GET, all(key, 1));
  }

  /** See {@link #usage(KeyedLimit...)}. */
  public CompletionStage<Decision> usageAsync(KeyedLimit... limits) {
    return runAsync(Operation.GET, Calls.checked(Operation.GET, limits));
  }

  /** See {@link #expiresAt(String)}. */
  public CompletionStage<Optional<Instant>> expiresAtAsync(String key) {
    return usageAsync(key).thenApply(Calls::latest);
  }

  /** See {@link #expiresAt(Key)}. */
  public CompletionStage<Optional<Instant>> expiresAtAsync(Key key) {
    return usageAsync(key).thenApply(Calls::latest);
  }

  /** See {@link #expiresAt(KeyedLimit)}. */
  public CompletionStage<Optional<Instant>> expiresAtAsync(KeyedLimit limit) {
    return usageAsync(limit).thenApply(Calls::latest);
  }

  /** See {@link #set(String, long)}. */
  public CompletionStage<Void> setAsync(String key, long n) {
    return setAsync(Key.of(key), n);
  }

  /** See {@link #set(Key, long)}. */
  public CompletionStage<Void> setAsync(Key key, long n) {
    return tellAsync(Operation.SET, all(key, n));
  }

  /** See {@link #set(KeyedLimit, long)}. */
  public CompletionStage<Void> setAsync(KeyedLimit limit, long n) {
    return tellAsync(Operation.SET, Calls.counting(limit, n));
  }

  /** See {@link #reset(String)}. */
  public CompletionStage<Void> resetAsync(String key) {
    return resetAsync(Key.of(key));
  }

  /** See {@link #reset(Key)}. */
  public CompletionStage<Void> resetAsync(Key key) {
    return tellAsync(Operation.RESET, all(key, 1));
  }

  /** See {@link #reset(KeyedLimit...)}. */
  public CompletionStage<Void> resetAsync(KeyedLimit... limits) {
    return tellAsync(Operation.RESET, Calls.checked(Operation.RESET, limits));
  }

  /** See {@link #clean()}. */
  public CompletionStage<Long> cleanAsync() {
    try {
      return CompletableFuture.completedFuture(clean());
    } catch (StoreException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  // ---- The store

  private WaitingLines lines() {
    WaitingLines known = lines;
    if (known == null) {
      known = WaitingLines.of(store);
      lines = known;
    }
    return known;
  }

  private Decision ask(Operation operation, Key key, long cost) {
    Limit single = only;
    return single == null
        ? store.askAll(operation, Calls.own(limits), key, cost)
        : store.ask(operation, single, key, cost);
  }

  /**
   * A limit that is given in the call. What {@code limit.on(key)} made is only taken apart here and
   * never handed on, so that the compiler need not make an object of it.
   */
  private Decision ask(Operation operation, KeyedLimit given) {
    Limit limit = KeyedLimit.required(given).limit();
    long cost = KeyedLimit.positive(given.cost(), "cost");
    Key key = Key.of(given.key().value(), given.key().number());
    return given.isPlain()
        ? store.ask(operation, limit, key, cost)
        : ask(operation, List.of(new KeyedLimit(limit, key, cost, given.isShadow(), given.tag())));
  }

  /** A hit or a peek, which the store's failure does not fail. */
  Decision ask(Operation operation, List<KeyedLimit> asked) {
    try {
      return store.run(operation, asked);
    } catch (StoreException e) {
      return Calls.degraded(store, asked, e);
    }
  }

  CompletionStage<Decision> askAsync(Operation operation, List<KeyedLimit> asked) {
    return askAsync(operation, asked, () -> true);
  }

  /** The same for a caller that may be gone before there is an answer. */
  CompletionStage<Decision> askAsync(
      Operation operation, List<KeyedLimit> asked, BooleanSupplier awaited) {
    return runAsync(operation, asked)
        .exceptionally(failure -> Calls.degraded(store, asked, failure, awaited.getAsBoolean()));
  }

  private Decision run(Operation operation, List<KeyedLimit> limits) {
    return store.run(operation, limits);
  }

  private CompletionStage<Decision> runAsync(Operation operation, List<KeyedLimit> limits) {
    try {
      return store.runAsync(operation, limits);
    } catch (StoreException e) { // a store may fail before it has a future
      return CompletableFuture.failedFuture(e);
    }
  }

  private CompletionStage<Void> tellAsync(Operation operation, List<KeyedLimit> limits) {
    return runAsync(operation, limits).thenAccept(done -> {});
  }

  private List<KeyedLimit> all(Key key, long n) {
    return Calls.on(limits, Key.required(key), n);
  }

  private Waiting waiting(List<KeyedLimit> asked, Duration timeout) {
    return new Waiting(this, store.time(), executor, lines(), asked, timeout);
  }
}
