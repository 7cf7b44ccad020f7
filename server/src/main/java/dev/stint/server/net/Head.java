package dev.stint.server.net;

import io.netty.buffer.ByteBuf;

/**
 * The beginning of a request that is not complete, as a decoder holds it: a TLS handshake, or the
 * lines of an HTTP/1.1 request.
 */
final class Head {

  /**
   * What a decoder makes of a byte at worst, measured and rounded up: a header of five bytes is two
   * texts and an entry of a map.
   */
  private static final int BYTES_PER_BYTE = 40;

  /** So little is counted when it is decoded: mostly it is a whole request, and nothing is left. */
  private static final int LITTLE = 256;

  /** As many as common servers and proxies take. Each is some objects, however short it is. */
  static final int MOST_HEADERS = 100;

  /** What a portion that is read during a body is counted for, at most. */
  static final long MOST_AHEAD = (long) ReadPortions.LARGEST * BYTES_PER_BYTE;

  private enum Phase {
    /** What is received belongs to the beginning of a request. */
    HEAD,
    /** It belongs to a body first, and then perhaps to further requests. */
    BODY,
    /** The protocol counts for itself. */
    OTHER
  }

  private final ConnectionBudget budget;
  private Phase phase = Phase.HEAD;

  // Of the first head.
  private boolean scanned;
  private boolean atLineStart = true;
  private int lines;
  private long received;
  private long held;

  // Of what may follow the body that is being received.
  private long ahead;

  Head(ConnectionBudget budget) {
    this.budget = budget;
  }

  /**
   * Before something is decoded: counts what it may become; false if there is no room.
   *
   * <p>It has to be before. Of thousands of connections that an event loop reads in one go, those
   * that are closed for want of room keep what was decoded until the loop has come to its end.
   */
  boolean admit(int bytes) {
    return switch (phase) {
      case HEAD -> {
        received += bytes;
        yield bytes <= LITTLE || settle();
      }
      case BODY -> bytes <= LITTLE || holdAhead((long) bytes * BYTES_PER_BYTE);
      case OTHER -> true;
    };
  }

  private boolean holdAhead(long bytes) {
    if (!budget.hold(bytes)) {
      return false;
    }
    ahead += bytes;
    return true;
  }

  /** What is received is encrypted, so headers cannot be told from it. */
  void encrypted() {
    scanned = true;
  }

  /**
   * Whether the first head of a connection has more headers than it may. It is asked before
   * something is decoded, so that a crowd of such connections costs no more than one that sends
   * nothing.
   *
   * <p>It looks no further than the empty line that ends the head: behind it there may be a body,
   * or other requests. These are bounded by their bytes alone.
   */
  boolean hasTooManyHeaders(ByteBuf bytes) {
    if (phase == Phase.HEAD && !scanned) {
      bytes.forEachByte(this::isWithinHead);
    }
    return lines > 1 + MOST_HEADERS;
  }

  /** Empty lines in front of a request mean nothing. */
  private boolean isWithinHead(byte next) {
    if (next == '\n') {
      scanned = atLineStart && lines > 0;
      lines += atLineStart ? 0 : 1;
      atLineStart = true;
    } else if (next != '\r') {
      atLineStart = false;
    }
    return !scanned && lines <= 1 + MOST_HEADERS;
  }

  /** How much was received of what is not complete. */
  long received() {
    return received;
  }

  /** It is complete with its body, and so much has followed it. */
  void complete(long rest) {
    phase = Phase.HEAD;
    received = rest;
    scanned = true;
  }

  /** The beginning is complete, and its body follows. */
  void bodyFollows() {
    phase = Phase.BODY;
    received = 0;
  }

  /** What is received is none of our business from now on: its protocol counts for itself. */
  void isOtherProtocol() {
    phase = Phase.OTHER;
    received = 0;
  }

  /** After something was decoded: counts what is left of it; false if there is no room. */
  boolean settle() {
    if (ahead > 0) {
      budget.release(ahead);
      ahead = 0;
    }
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
