package dev.stint.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.Store;
import dev.stint.TimeSource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** What a test of the contract works with: the store under test, its clock, fresh keys, threads. */
final class Bench implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 60;
  private static final String RUN = UUID.randomUUID().toString();
  private static final AtomicLong KEYS = new AtomicLong();

  private final Function<TimeSource, Store> stores;
  private final Supplier<ExecutorService> executors;
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  /** The clock of {@link #limiter}. */
  final ManualTime time = ManualTime.create();

  /** A limiter without limits of its own on the store under test. */
  final RateLimiter limiter;

  /** The store under test, by {@link #time}. */
  final Store store;

  Bench(Function<TimeSource, Store> stores, Supplier<ExecutorService> executors) {
    this.stores = stores;
    this.executors = executors;
    this.store = store(time);
    this.limiter = RateLimiter.of(store);
  }

  /** One more store, of another clock. */
  Store store(TimeSource clock) {
    Store store = stores.apply(clock);
    opened.push(store);
    return store;
  }

  /** A key that nobody has used before, in this run or another. */
  static String freshKey() {
    return RUN + "-" + KEYS.incrementAndGet();
  }

  /** A limit of every algorithm that forgets, with these numbers. */
  static List<Limit> limits(long amount, Duration window) {
    return List.of(
        Limit.fixedWindow(amount, window),
        Limit.fixedWindowPerKey(amount, window),
        Limit.slidingLog(amount, window),
        Limit.slidingCounter(amount, window),
        Limit.tokenBucket(amount, window),
        Limit.leakyBucket(amount, window));
  }

  /** As {@link #limits}, and a quota. */
  static List<Limit> limitsAndQuota(long amount, Duration window) {
    List<Limit> all = new ArrayList<>(limits(amount, window));
    all.add(Limit.quota(amount));
    return all;
  }

  /** Runs a task on a thread of its own. */
  <T> Future<T> start(Callable<T> task) {
    return executor().submit(task);
  }

  /** Runs {@code count} tasks on as many threads, all let go at the same moment. */
  <T> List<T> together(int count, IntFunction<Callable<T>> tasks) throws Exception {
    ExecutorService executor = executor();
    CountDownLatch ready = new CountDownLatch(count);
    CountDownLatch go = new CountDownLatch(1);
    List<Future<T>> futures = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Callable<T> task = tasks.apply(i);
      futures.add(
          executor.submit(
              () -> {
                ready.countDown();
                go.await();
                return task.call();
              }));
    }
    assertThat(ready.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).as("all threads started").isTrue();
    go.countDown();
    List<T> results = new ArrayList<>();
    for (Future<T> future : futures) {
      results.add(get(future));
    }
    return results;
  }

  /** The result, of which there must be one within a minute of the machine's time. */
  static <T> T get(Future<T> future) throws Exception {
    return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  /** Returns once so many calls of {@link #limiter} wait for room. */
  void awaitWaiting(int count) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (limiter.waiting() != count) {
      assertThat(System.nanoTime()).as("time until %d wait", count).isLessThan(end);
      Thread.sleep(1);
    }
  }

  private ExecutorService executor() {
    ExecutorService executor = executors.get();
    opened.push(executor::shutdownNow);
    return executor;
  }

  @Override
  public void close() {
    while (!opened.isEmpty()) {
      try {
        opened.pop().close();
      } catch (Exception e) {
        throw new AssertionError("a store must close without an exception", e);
      }
    }
  }
}
