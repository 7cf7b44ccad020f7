package dev.stint.server.ordeal;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Threads that do something, and remember what went wrong. */
final class Tasks implements AutoCloseable {

  private static final long PATIENCE_MILLIS = 30_000;

  /** Something that may fail. */
  interface Work {
    void run() throws Exception;
  }

  private final List<Thread> threads = new ArrayList<>();
  private final Queue<Throwable> troubles = new ConcurrentLinkedQueue<>();
  private volatile boolean over;

  /** Does it once. */
  void once(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (Exception | Error e) {
                troubles.add(e);
              }
            },
            "task");
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
  }

  /** Does it again and again until the end, or until it fails. */
  void again(Work work) {
    once(
        () -> {
          while (!over) {
            work.run();
          }
        });
  }

  /** Waits until all have come to their end. */
  void join() throws InterruptedException {
    for (Thread thread : threads) {
      thread.join(PATIENCE_MILLIS);
      if (thread.isAlive()) {
        troubles.add(new AssertionError("every task must end; one still runs"));
      }
    }
  }

  /** Ends what is done again and again, and waits for it. */
  void end() throws InterruptedException {
    over = true;
    join();
  }

  /** What went wrong. */
  List<Throwable> troubles() {
    return List.copyOf(troubles);
  }

  @Override
  public void close() throws InterruptedException {
    end();
  }
}
