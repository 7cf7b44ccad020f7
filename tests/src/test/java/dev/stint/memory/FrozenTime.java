package dev.stint.memory;

import dev.stint.TimeSource;
import java.util.concurrent.CompletableFuture;

/** A clock that a test winds before the threads start, and that stands still while they run. */
final class FrozenTime implements TimeSource {

  private long now = 1_700_000_000_000_000L;

  void pass(long micros) {
    now += micros;
  }

  @Override
  public long micros() {
    return now;
  }

  @Override
  public void sleep(long micros) {
    throw new IllegalStateException("nobody must wait here: " + micros);
  }

  @Override
  public CompletableFuture<Void> delay(long micros) {
    throw new IllegalStateException("nobody must wait here: " + micros);
  }
}
