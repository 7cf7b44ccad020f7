package dev.stint.redis;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Ends what has waited for too long.
 *
 * <p>Everybody may wait equally long, so the first in line is the first to be ended, and one look
 * at it now and then replaces a timer for each.
 */
final class Deadlines {

  /** Something that waits. */
  interface Timed {

    boolean isDone();

    /** When it has waited too long, in {@link System#nanoTime}. */
    long deadline();

    /** Ends it, if it has not ended by itself. */
    void expire();
  }

  private final Queue<Timed> line = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean watching = new AtomicBoolean();
  private final Timer timer;

  Deadlines(Timer timer) {
    this.timer = timer;
  }

  void watch(Timed timed) {
    line.add(timed);
    wakeUp();
  }

  private void wakeUp() {
    if (!watching.get() && watching.compareAndSet(false, true)) {
      look();
    }
  }

  private void look() {
    for (Timed first = line.peek(); first != null; first = line.peek()) {
      long rest = first.deadline() - System.nanoTime();
      if (rest > 0 && !first.isDone()) {
        timer.afterNanos(rest, this::look);
        return;
      }
      line.poll();
      first.expire();
    }
    watching.set(false);
    if (!line.isEmpty()) {
      wakeUp(); // somebody came after the last peek and saw us watching
    }
  }
}
