package dev.stint.redis;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Runs small things later, on one daemon thread; after {@link #close} nothing any more. */
final class Timer {

  private final ScheduledThreadPoolExecutor executor =
      new ScheduledThreadPoolExecutor(
          1,
          task -> {
            Thread thread = new Thread(task, "stint-redis-timer");
            thread.setDaemon(true);
            return thread;
          },
          new ThreadPoolExecutor.DiscardPolicy());

  void afterNanos(long nanos, Runnable task) {
    Future<?> unused = executor.schedule(task, nanos, TimeUnit.NANOSECONDS);
  }

  void afterMillis(long millis, Runnable task) {
    afterNanos(TimeUnit.MILLISECONDS.toNanos(millis), task);
  }

  void close() {
    executor.shutdownNow();
  }
}
