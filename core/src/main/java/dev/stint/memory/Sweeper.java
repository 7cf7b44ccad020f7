package dev.stint.memory;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A daemon thread that forgets expired state, a segment at a time.
 *
 * <p>It starts with the first key and ends when the store is closed. It knows the store only
 * weakly, so a store that is dropped without being closed takes it along. Nothing that is thrown in
 * a sweep ends it: what one sweep leaves the next one finds.
 */
final class Sweeper {

  private static final Thread STOPPED = new Thread(() -> {}, "stopped");

  private final WeakReference<MemoryStore> store;
  private final long periodNanos;
  private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();

  Sweeper(MemoryStore store, Duration period) {
    this.store = new WeakReference<>(store);
    this.periodNanos =
        period.compareTo(Duration.ofDays(365)) > 0 ? Long.MAX_VALUE : period.toNanos();
  }

  void ensureRunning() {
    if (thread.get() == null && periodNanos != 0) {
      start();
    }
  }

  private void start() {
    Loop loop = new Loop(store, thread, periodNanos);
    Thread fresh = new Thread(loop, "stint-sweeper");
    fresh.setDaemon(true);
    if (!thread.compareAndSet(null, fresh)) {
      return;
    }
    boolean started = false;
    try {
      fresh.start();
      started = true;
    } finally {
      if (!started) { // out of threads or memory: the next new key tries again
        thread.compareAndSet(fresh, null);
      }
    }
  }

  void stop() {
    Thread running = thread.getAndSet(STOPPED);
    if (running != null) {
      LockSupport.unpark(running);
    }
  }

  /** Holds no strong path to the store while it waits. */
  private record Loop(
      WeakReference<MemoryStore> store, AtomicReference<@Nullable Thread> thread, long periodNanos)
      implements Runnable {

    @Override
    public void run() {
      do {
        Thread.interrupted(); // a park that returns at once because of an interrupt would spin
        LockSupport.parkNanos(this, periodNanos);
      } while (sweep());
    }

    private boolean sweep() {
      for (int step = 0; ; step++) {
        MemoryStore target = store.get();
        if (target == null || thread.get() != Thread.currentThread()) {
          return false;
        }
        if (step == target.sweepSteps()) {
          return true;
        }
        sweep(target, step);
        target = null;
        Thread.yield();
      }
    }

    private static void sweep(MemoryStore target, int step) {
      try {
        target.sweep(step);
      } catch (Throwable e) { // the time source's exception, or an Error: not worth this thread
        Thread.yield();
      }
    }
  }
}
