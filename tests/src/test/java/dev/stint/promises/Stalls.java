package dev.stint.promises;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * What the machine itself did to threads: idle ones that want to wake every millisecond record when
 * they woke too late. A latency is only ours {@linkplain #net net} of that.
 */
public final class Stalls implements AutoCloseable {

  private static final long NAP = 1_000_000;

  /** Many naps end a little late on a machine that is well. */
  private static final long ORDINARY = 200_000;

  private record Stall(long from, long to) {}

  private final List<List<Stall>> seen = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean over;

  private Stalls() {}

  /** Starts the control threads, one for each processor. */
  public static Stalls watch() {
    Stalls stalls = new Stalls();
    for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
      List<Stall> own = new ArrayList<>();
      stalls.seen.add(own);
      Thread thread = new Thread(() -> stalls.idle(own), "control " + i);
      thread.setDaemon(true);
      stalls.threads.add(thread);
    }
    stalls.threads.forEach(Thread::start);
    return stalls;
  }

  private void idle(List<Stall> own) {
    while (!over) {
      long due = System.nanoTime() + NAP;
      LockSupport.parkNanos(NAP);
      long woke = System.nanoTime();
      if (woke - due > ORDINARY) {
        own.add(new Stall(due, woke));
      }
    }
  }

  /** Ends the watch; what was seen can be asked for from then on. */
  @Override
  public void close() {
    over = true;
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while ending the control threads", e);
      }
    }
  }

  /** How long something took, less what the machine stalled in the meantime. */
  public long net(long from, long to) {
    long most = 0;
    for (List<Stall> own : seen) {
      long lost = 0;
      for (int i = firstEndingAfter(own, from); i < own.size(); i++) {
        Stall stall = own.get(i);
        if (stall.from > to) {
          break;
        }
        lost += Math.min(stall.to, to) - Math.max(stall.from, from);
      }
      most = Math.max(most, lost);
    }
    return Math.max(0, to - from - most);
  }

  private static int firstEndingAfter(List<Stall> own, long moment) {
    int low = 0;
    int high = own.size();
    while (low < high) {
      int middle = (low + high) / 2;
      if (own.get(middle).to <= moment) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The longest stall that was seen. */
  public long longest() {
    return seen.stream()
        .flatMap(List::stream)
        .mapToLong(stall -> stall.to - stall.from)
        .max()
        .orElse(0);
  }
}
