package dev.stint.benchmarks;

import dev.stint.TimeSource;
import java.util.concurrent.CompletableFuture;

/** A clock for one thread that moves on by a fixed step whenever it is read. */
final class StepTime implements TimeSource {

  private long now = 1_700_000_000_000_000L;
  private final long step;

  StepTime(long step) {
    this.step = step;
  }

  void advance(long micros) {
    now += micros;
  }

  @Override
  public long micros() {
    now += step;
    return now;
  }

  @Override
  public void sleep(long micros) {
    now += micros;
  }

  @Override
  public CompletableFuture<Void> delay(long micros) {
    now += micros;
    return CompletableFuture.completedFuture(null);
  }
}
