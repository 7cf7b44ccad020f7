package dev.stint.redis;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Remembers that a server does not answer, so that nobody waits for it in vain.
 *
 * <p>It starts open, until a first probe has found the way. It opens after {@value #MANY} failures
 * in a row, or after {@value #FEW} that are half a second apart, when traffic is thin; a dead or
 * hung server is thus found out within a second. While it is open, nobody is sent there but probes;
 * {@link Prober} closes it when those have come back well.
 */
final class Breaker {

  private static final int MANY = 10;
  private static final int FEW = 2;
  private static final long APART = 500_000_000;

  private final CallQueue calls;
  private final ServerFunctions functions;
  private final Supplier<String> place;
  private final Consumer<Breaker> opened;
  private final AtomicInteger failures = new AtomicInteger();
  private final CompletableFuture<Void> ready = new CompletableFuture<>();
  private long firstFailure;
  private volatile @Nullable String reason = "Redis is not connected yet";

  /**
   * A breaker that waits for its first probe.
   *
   * @param calls the calls that wait for the server in question
   * @param functions its functions
   * @param place the tag of a place that lies on the server in question now; slots move
   * @param opened told when this breaker opens
   */
  Breaker(
      CallQueue calls,
      ServerFunctions functions,
      Supplier<String> place,
      Consumer<Breaker> opened) {
    this.calls = calls;
    this.functions = functions;
    this.place = place;
    this.opened = opened;
  }

  /** The calls that wait for the server in question. */
  CallQueue calls() {
    return calls;
  }

  /** The functions of the server in question. */
  ServerFunctions functions() {
    return functions;
  }

  /** The tag of a place on the server in question. */
  String place() {
    return place.get();
  }

  /** Why this breaker is open; null when it is closed. */
  @Nullable String reason() {
    return reason;
  }

  /** The same as a sentence about the server of this name. */
  Optional<String> trouble(String server) {
    return Optional.ofNullable(reason).map(why -> server + " cannot be asked: " + why);
  }

  /** Done when this breaker has closed for the first time. */
  CompletableFuture<Void> ready() {
    return ready;
  }

  void succeeded() {
    if (failures.get() != 0) {
      failures.set(0);
    }
  }

  void failed(String why) {
    if (reason != null) {
      update(why);
    } else if (isEnough()) {
      open(why);
    }
  }

  private synchronized boolean isEnough() {
    long now = System.nanoTime();
    int count = failures.incrementAndGet();
    if (count == 1) {
      firstFailure = now;
    }
    return count >= MANY || (count >= FEW && now - firstFailure >= APART);
  }

  /** While it is open, the latest reason is the one that helps. */
  private synchronized void update(String why) {
    if (reason != null) {
      reason = why;
    }
  }

  private void open(String why) {
    synchronized (this) {
      if (reason != null) {
        return;
      }
      reason = why;
    }
    opened.accept(this);
  }

  synchronized void close() {
    failures.set(0);
    reason = null;
    ready.complete(null);
  }
}
