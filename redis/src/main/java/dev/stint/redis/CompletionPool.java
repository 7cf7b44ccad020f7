package dev.stint.redis;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The threads on which futures complete if the application names no executor.
 *
 * <p>As many as there are processors do, as long as what the application does there is short. When
 * tasks wait and none has been begun for a millisecond, all threads are blocked, and their number
 * is doubled, up to {@value #MOST}. Threads that have nothing to do for ten seconds end.
 */
final class CompletionPool implements Executor, Timer.Task {

  static final int MOST = 512;

  private static final int FEW = Math.max(2, Runtime.getRuntime().availableProcessors());
  private static final long IDLE_SECONDS = 10;
  private static final long STUCK = 1_000_000;

  private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
  private final AtomicInteger threads = new AtomicInteger();
  private final AtomicInteger idle = new AtomicInteger();
  private final AtomicLong begun = new AtomicLong();
  private final Timer timer;
  private long begunBefore = -1;
  private long lookedAt;
  private volatile boolean closed;

  CompletionPool(Timer timer) {
    this.timer = timer;
    timer.add(this);
  }

  @Override
  public void execute(Runnable task) {
    if (closed) {
      throw new RejectedExecutionException(CommandDispatcher.CLOSED);
    }
    tasks.add(task);
    if (idle.get() > 0) {
      return;
    }
    if (threads.get() < FEW) {
      startThread(FEW);
      if (threads.get() == 0) {
        tasks.remove(task);
        throw new RejectedExecutionException("no thread can be started");
      }
    }
    timer.wakeBy(System.nanoTime() + STUCK); // should all threads be blocked
  }

  private void startThread(int most) {
    if (threads.incrementAndGet() > most) {
      threads.decrementAndGet();
      return;
    }
    try {
      Thread thread = new Thread(null, this::work, "stint-redis-completion", 0, false);
      thread.setDaemon(true);
      thread.start();
    } catch (Throwable e) { // the machine has no more threads
      threads.decrementAndGet();
    }
  }

  private void work() {
    for (; ; ) {
      try {
        Runnable task = next();
        if (task != null) {
          begun.incrementAndGet();
          if (!tasks.isEmpty() && idle.get() == 0) {
            // Another task may have been added in the belief that this thread was idle.
            timer.wakeBy(System.nanoTime() + STUCK);
          }
          task.run();
          continue;
        }
      } catch (Throwable e) {
        continue; // a future keeps what its continuations throw; this one is for nobody
      }
      threads.decrementAndGet();
      // A task that came at this moment may have counted on this thread.
      if (tasks.isEmpty() || threads.incrementAndGet() > MOST) {
        return;
      }
    }
  }

  private @Nullable Runnable next() throws InterruptedException {
    Runnable task = tasks.poll();
    if (task != null || closed) {
      return task;
    }
    idle.incrementAndGet();
    try {
      return tasks.poll(IDLE_SECONDS, TimeUnit.SECONDS);
    } finally {
      idle.decrementAndGet();
    }
  }

  @Override
  public long look(long now) {
    if (tasks.isEmpty()) {
      begunBefore = -1;
      return Timer.NEVER;
    }
    if (begunBefore != begun.get()) {
      begunBefore = begun.get();
      lookedAt = now;
    } else if (now - lookedAt >= STUCK) {
      lookedAt = now;
      int more = Math.min(tasks.size(), Math.max(1, threads.get()));
      for (int i = 0; i < more; i++) {
        startThread(MOST);
      }
    }
    return STUCK;
  }

  /** Lets the threads end; what has been handed over is still run. */
  void close() {
    closed = true;
    // The timer closes too, so nothing adds threads later: blocked ones may wait for these tasks.
    for (int i = Math.min(tasks.size(), MOST); i > 0; i--) {
      startThread(MOST);
    }
    for (int i = threads.get(); i > 0; i--) {
      tasks.add(() -> {}); // wakes a thread that waits for something to do
    }
  }
}
