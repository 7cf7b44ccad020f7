package dev.stint.server.net;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the requests of a wire, and what was rejected. All event loops share one for each wire.
 */
public final class WireCounters {

  private final LongAdder requests = new LongAdder();
  private final Map<RejectionCause, LongAdder> rejected = new EnumMap<>(RejectionCause.class);

  public WireCounters() {
    for (RejectionCause cause : RejectionCause.values()) {
      rejected.put(cause, new LongAdder());
    }
  }

  /** Counts a request, whatever it is answered. */
  public void request() {
    requests.increment();
  }

  /** Counts a connection or a request that was rejected. */
  public void rejected(RejectionCause cause) {
    adder(cause).increment();
  }

  /** Counts a request that was answered with this HTTP status, if that is a rejection. */
  public void answered(int status) {
    RejectionCause cause = RejectionCause.ofHttpStatus(status);
    if (cause != null) {
      rejected(cause);
    }
  }

  /** How many requests there were. */
  public long requests() {
    return requests.sum();
  }

  /** How many were rejected for this. */
  public long rejections(RejectionCause cause) {
    return adder(cause).sum();
  }

  private LongAdder adder(RejectionCause cause) {
    LongAdder adder = rejected.get(cause);
    if (adder == null) {
      throw new IllegalStateException("no counter for " + cause);
    }
    return adder;
  }
}
