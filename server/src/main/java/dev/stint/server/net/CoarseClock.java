package dev.stint.server.net;

import java.util.function.LongSupplier;

/** Milliseconds that cost nothing to read, in steps. */
public final class CoarseClock implements LongSupplier {

  /** How often it must be advanced. */
  public static final long STEP_MILLIS = 5;

  private final long start = System.nanoTime();
  private volatile long now;

  /** Makes it as late as it is. */
  public void advance() {
    now = (System.nanoTime() - start) / 1_000_000;
  }

  @Override
  public long getAsLong() {
    return now;
  }
}
