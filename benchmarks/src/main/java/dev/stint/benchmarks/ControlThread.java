package dev.stint.benchmarks;

import java.util.concurrent.locks.LockSupport;

/**
 * Does nothing, and notes when it was kept from doing it: by the operating system, the machine
 * under it or the JVM. What it suffers nobody else is to blame for.
 */
final class ControlThread implements Runnable {

  private static final long NAP = 200_000;
  private static final long WORTH_NOTING = 500_000;

  private final Stalls stalls = new Stalls();
  private final Thread thread = new Thread(this, "control");
  private volatile boolean stopped;

  static ControlThread started() {
    ControlThread control = new ControlThread();
    control.thread.setDaemon(true);
    control.thread.start();
    return control;
  }

  @Override
  public void run() {
    while (!stopped) {
      long due = System.nanoTime() + NAP;
      LockSupport.parkNanos(NAP);
      long woken = System.nanoTime();
      if (woken - due > WORTH_NOTING) {
        stalls.add(due, woken);
      }
    }
  }

  /** Ends the thread and tells when it was late. */
  Stalls stop() throws InterruptedException {
    stopped = true;
    thread.join();
    return stalls;
  }
}
