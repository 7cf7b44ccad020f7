package dev.stint.memory;

import dev.stint.TimeSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that advances in steps, which threads make while others are in the middle of a call. */
final class SteppingTime implements TimeSource {

  private final AtomicLong now = new AtomicLong(1_700_000_000_000_000L);

  void pass(long micros) {
    now.addAndGet(micros);
  }

  @Override
  public long micros() {
    return now.get();
  }

  @Override
  public void sleep(long micros) {
    throw new IllegalStateException("nothing must wait here: " + micros);
  }

  @Override
  public CompletableFuture<Void> delay(long micros) {
    throw new IllegalStateException("nothing must wait here: " + micros);
  }
}
