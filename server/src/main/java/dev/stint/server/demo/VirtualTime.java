package dev.stint.server.demo;

import dev.stint.TimeSource;
import java.util.concurrent.CompletableFuture;

/** A clock that stands wherever the demo puts it. */
final class VirtualTime implements TimeSource {

  private long now;

  VirtualTime(long now) {
    this.now = now;
  }

  void moveTo(long moment) {
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
