package dev.stint.promises;

import dev.stint.Decision;
import dev.stint.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * What many more threads than processors got admitted, asking as fast as they can on the system
 * clock. All times are microseconds.
 *
 * @param first a reading of the store's clock before the first call
 * @param last a reading of the store's clock after the last call
 * @param wallFirst the machine's clock before the first call
 * @param wallLast the machine's clock after the last call
 * @param offered how many units were asked for
 */
record ContendedRun(
    long first, long last, long wallFirst, long wallLast, long offered, Admissions admissions) {

  /** 64 on two processors. */
  private static final int THREADS_PER_PROCESSOR = 32;

  private static final int FEWEST_THREADS = 64;

  /** A call that has not returned this long after the end never will. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** One thread's part. */
  private record Part(long offered, Admissions admissions) {}

  static int threads() {
    return Math.max(
        FEWEST_THREADS, THREADS_PER_PROCESSOR * Runtime.getRuntime().availableProcessors());
  }

  /**
   * Runs until {@code duration} has passed. One of the threads only peeks.
   *
   * @param hit asks for one unit
   * @param peek asks without taking anything
   */
  static ContendedRun of(Duration duration, Supplier<Decision> hit, Supplier<Decision> peek)
      throws Exception {
    TimeSource clock = TimeSource.system();
    CountDownLatch begin = new CountDownLatch(1);
    AtomicBoolean over = new AtomicBoolean();
    ExecutorService pool = Executors.newFixedThreadPool(threads(), ContendedRun::daemon);
    try {
      List<Future<Part>> running = new ArrayList<>();
      running.add(pool.submit(peeking(peek, begin, over)));
      for (int i = 1; i < threads(); i++) {
        running.add(pool.submit(hitting(clock, hit, begin, over)));
      }
      long first = clock.micros();
      long wallFirst = wall();
      begin.countDown();
      Thread.sleep(duration.toMillis());
      over.set(true);
      long offered = 0;
      List<Admissions> admissions = new ArrayList<>();
      for (Future<Part> one : running) {
        Part part = one.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        offered += part.offered;
        admissions.add(part.admissions);
      }
      return new ContendedRun(
          first, clock.micros(), wallFirst, wall(), offered, Admissions.of(admissions));
    } finally {
      over.set(true);
      pool.shutdownNow();
    }
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "caller");
    thread.setDaemon(true);
    return thread;
  }

  private static Callable<Part> hitting(
      TimeSource clock, Supplier<Decision> hit, CountDownLatch begin, AtomicBoolean over) {
    return () -> {
      Admissions admissions = new Admissions();
      long offered = 0;
      begin.await();
      while (!over.get()) {
        long before = clock.micros();
        boolean allowed = hit.get().allowed();
        long after = clock.micros();
        offered++;
        if (allowed) {
          admissions.add(before, after);
        }
      }
      return new Part(offered, admissions);
    };
  }

  private static Callable<Part> peeking(
      Supplier<Decision> peek, CountDownLatch begin, AtomicBoolean over) {
    return () -> {
      begin.await();
      while (!over.get()) {
        if (peek.get().degraded()) {
          throw new AssertionError("a store in memory must always answer");
        }
      }
      return new Part(0, new Admissions());
    };
  }

  private static long wall() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }

  double seconds() {
    return (last - first) / 1e6;
  }
}
