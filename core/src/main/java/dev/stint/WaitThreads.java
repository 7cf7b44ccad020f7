package dev.stint;

import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The threads on which asynchronous waits go on, if no others were chosen.
 *
 * <p>A task never waits for another to end: if all threads are busy there is one more. So a waiter
 * whose continuation blocks delays no other. Threads are daemons, and end when they were idle for a
 * while.
 */
final class WaitThreads {

  private static final long IDLE_SECONDS = 10;
  private static final AtomicLong STARTED = new AtomicLong();

  static final Executor EXECUTOR =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          WaitThreads::thread);

  private WaitThreads() {}

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "stint-wait-" + STARTED.incrementAndGet());
    thread.setDaemon(true);
    return thread;
  }
}
