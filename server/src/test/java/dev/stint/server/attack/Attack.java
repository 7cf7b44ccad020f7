package dev.stint.server.attack;

import java.io.IOException;
import java.net.InetAddress;

/**
 * A row of the matrix.
 *
 * @param name what is done
 * @param launcher begins to do it
 */
record Attack(String name, Launcher launcher) {

  /** Begins an attack, which goes on until it is closed. */
  interface Launcher {
    AutoCloseable launch(Target target, InetAddress from, int percent)
        throws IOException, InterruptedException;
  }

  /** What an attack does on a thread of its own. */
  interface Work {
    void run(long untilNanos) throws IOException, InterruptedException;
  }

  private static final long LONGEST = 120_000_000_000L;

  /** Does something until it is closed, each time from the start; failures are part of it. */
  static AutoCloseable inBackground(Work work) {
    Thread thread =
        new Thread(
            () -> {
              long until = System.nanoTime() + LONGEST;
              while (!Thread.currentThread().isInterrupted() && System.nanoTime() < until) {
                try {
                  work.run(until);
                } catch (IOException e) {
                  // the service defends itself
                } catch (InterruptedException e) {
                  return;
                }
              }
            },
            "attack");
    thread.setDaemon(true);
    thread.start();
    return () -> {
      thread.interrupt();
      thread.join(5_000);
    };
  }

  @Override
  public String toString() {
    return name;
  }
}
