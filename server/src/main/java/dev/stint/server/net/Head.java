package dev.stint.server.net;

/**
 * The beginning of a request that is not complete, as a decoder holds it: a TLS handshake, or the
 * lines of an HTTP/1.1 request.
 */
final class Head {

  /**
   * What a decoder makes of a byte at worst, measured and rounded up: a header of five bytes is two
   * texts and an entry of a map.
   */
  private static final int BYTES_PER_BYTE = 24;

  private final ConnectionBudget budget;
  private boolean counts = true;
  private long received;
  private long held;

  Head(ConnectionBudget budget) {
    this.budget = budget;
  }

  void received(int bytes) {
    if (counts) {
      received += bytes;
    }
  }

  /** How much was received of what is not complete. */
  long received() {
    return received;
  }

  /** It is complete, and so much has followed it. */
  void complete(long rest) {
    received = rest;
  }

  /** What is received from now on is no beginning, until it counts again. */
  void counts(boolean on) {
    counts = on;
    if (!on) {
      received = 0;
    }
  }

  /** After something was read: counts what is left of it; false if there is no room. */
  boolean settle() {
    long target = received * BYTES_PER_BYTE;
    if (target == held) {
      return true;
    }
    if (target < held) {
      budget.release(held - target);
    } else if (!budget.hold(target - held)) {
      return false;
    }
    held = target;
    return true;
  }
}
