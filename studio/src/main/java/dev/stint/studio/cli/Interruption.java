package dev.stint.studio.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Somebody pressed Ctrl-C: what is at work should end early and print what it has.
 *
 * <p>The process waits with its end until the command has said that it is {@linkplain #over over},
 * for a few seconds at most.
 */
public final class Interruption {

  private static final long PATIENCE_SECONDS = 10;

  private final AtomicBoolean wanted = new AtomicBoolean();
  private final CountDownLatch over = new CountDownLatch(1);

  private final boolean ofProcess;
  private volatile boolean nothingYet;

  private Interruption(boolean ofProcess) {
    this.ofProcess = ofProcess;
  }

  /** One that nobody asks for but {@link #now}. */
  public static Interruption none() {
    return new Interruption(false);
  }

  /** One that comes when this process is told to end, once somebody {@linkplain #watch watches}. */
  public static Interruption ofThisProcess() {
    return new Interruption(true);
  }

  /** A command that can end early begins. Others, such as a service, end in ways of their own. */
  public void watch() {
    if (ofProcess) {
      Runtime.getRuntime().addShutdownHook(new Thread(this::stop, "interruption"));
    }
  }

  /** There is nothing to print yet, and it may be awaited for long: the process may end at once. */
  public void nothingYet() {
    nothingYet = true;
  }

  /** From now on there is something to print. */
  public void something() {
    nothingYet = false;
  }

  private void stop() {
    now();
    if (nothingYet) {
      return;
    }
    try {
      boolean unused = over.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Asks for it. */
  public void now() {
    wanted.set(true);
  }

  /** Whether somebody asked for it. */
  public boolean isWanted() {
    return wanted.get();
  }

  /** Everything is printed. */
  public void over() {
    over.countDown();
  }
}
