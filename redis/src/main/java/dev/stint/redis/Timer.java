package dev.stint.redis;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/**
 * One daemon thread that looks after everything that is due at some time.
 *
 * <p>A task is not handed over to be run once: it is asked again and again what is due, and answers
 * from its own state. So nothing is lost when a look ends with an {@code Error}; the next look
 * finds the same state.
 */
final class Timer {

  /** What a task answers that is not waiting for any moment. */
  static final long NEVER = Long.MAX_VALUE;

  private static final long AFTER_FAILURE = 10_000_000;

  /** Something that has to be done at certain times. */
  interface Task {

    /**
     * Does what is due.
     *
     * @param now {@link System#nanoTime}
     * @return in how many nanoseconds to look again; {@link #NEVER} if there is nothing to wait for
     */
    long look(long now);
  }

  private final List<Task> tasks = new CopyOnWriteArrayList<>();
  private final Thread thread = new Thread(null, this::run, "stint-redis-timer", 0, false);
  private volatile boolean closed;

  // Unknown while the tasks are looked at. A change that comes too late for that look therefore
  // leaves a permit to unpark, and the thread looks again.
  private volatile boolean sleepsUntilKnown;
  private volatile long sleepsUntil;

  Timer() {
    thread.setDaemon(true);
    thread.start();
  }

  void add(Task task) {
    tasks.add(task);
    wake();
  }

  /** Has all tasks looked at now. */
  void wake() {
    LockSupport.unpark(thread);
  }

  /** Has all tasks looked at by then, unless they are anyway. */
  void wakeBy(long nanoTime) {
    if (!sleepsUntilKnown || sleepsUntil - nanoTime > 0) {
      wake();
    }
  }

  void close() {
    closed = true;
    wake();
  }

  private void run() {
    while (!closed) {
      sleepsUntilKnown = false;
      long pause = look();
      if (pause == NEVER) {
        LockSupport.park(this);
      } else if (pause > 0) {
        sleepsUntil = System.nanoTime() + pause;
        sleepsUntilKnown = true;
        LockSupport.parkNanos(this, pause);
      }
    }
  }

  private long look() {
    long pause = NEVER;
    try {
      for (Task task : tasks) {
        pause = Math.min(pause, Math.max(0, look(task)));
      }
    } catch (Throwable e) {
      return AFTER_FAILURE; // memory or stack may be there again then
    }
    return pause;
  }

  private static long look(Task task) {
    try {
      return task.look(System.nanoTime());
    } catch (Throwable e) {
      return AFTER_FAILURE;
    }
  }
}
