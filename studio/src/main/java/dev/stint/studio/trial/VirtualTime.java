package dev.stint.studio.trial;

import dev.stint.TimeSource;
import java.util.concurrent.CompletableFuture;

/** A clock that stands wherever it is put. */
public final class VirtualTime implements TimeSource {

  private long now;

  /** A clock that stands at so many microseconds since the epoch. */
  public VirtualTime(long now) {
    this.now = now;
  }

  /** Makes it stand there. */
  public void moveTo(long moment) {
    now = moment;
  }

  @Override
  public long micros() {
    return now;
  }

  @Override
  public void sleep(long micros) {
    now += micros;
  }

  @Override
  public CompletableFuture<Void> delay(long micros) {
    sleep(micros);
    return CompletableFuture.completedFuture(null);
  }
}
