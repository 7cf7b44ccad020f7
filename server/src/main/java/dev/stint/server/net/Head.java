package dev.stint.server.net;

import io.netty.buffer.ByteBuf;

/**
 * What a decoder holds of a request that is not complete: a TLS handshake, the lines of an HTTP/1.1
 * request, or the trailers behind its body.
 *
 * <p>It is what was received and is not known to be consumed. That is not exact: encryption, chunks
 * and blanks around headers take bytes that are in no request. So it is set right whenever a
 * request is complete, when all that can be left lies in the portion that was read last.
 */
final class Head {

  /**
   * What a decoder makes of a byte at worst, measured and rounded up: a header of five bytes is two
   * texts and an entry of a map.
   */
  private static final int BYTES_PER_BYTE = 40;

  /** So little is counted when it is decoded: mostly it is a whole request, and nothing is left. */
  private static final int LITTLE = 256;

  /** So little behind a request is more likely framing than the beginning of the next one. */
  private static final int FRAMING = 64;

  /** As many as common servers and proxies take. Each is some objects, however short it is. */
  static final int MOST_HEADERS = 100;

  private final ConnectionBudget budget;
  private final long mostKept;
  private boolean counts = true;

  // Of the first head.
  private boolean scanned;
  private boolean atLineStart = true;
  private int lines;

  private long received;
  private long portion;
  private long held;

  /**
   * Of a connection.
   *
   * @param headers the bytes that a first line may have, and the headers as well
   */
  Head(ConnectionBudget budget, int headers) {
    this.budget = budget;
    this.mostKept = 2L * headers;
  }

  /** The most that a connection can be counted for by this. */
  static long most(int headers) {
    return (ReadPortions.LARGEST + 2L * headers) * BYTES_PER_BYTE;
  }

  /**
   * Before something is decoded: counts what it may become; false if there is no room.
   *
   * <p>It has to be before. Of thousands of connections that an event loop reads in one go, those
   * that are closed for want of room keep what was decoded until the loop has come to its end.
   */
  boolean admit(int bytes) {
    if (!counts) {
      return true;
    }
    portion = bytes;
    received += bytes;
    return bytes <= LITTLE || hold();
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
    if (counts && !scanned) {
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

  /** How much was received and is not known to be consumed. */
  long received() {
    return received;
  }

  /** So much of it was decoded and handed on. */
  void consumed(long bytes) {
    received = Math.max(0, received - bytes);
  }

  /** A request is complete, with its body. */
  void complete() {
    received = received <= FRAMING ? 0 : Math.min(received, portion);
    scanned = true;
  }

  /** Its protocol counts for itself from now on. */
  void isOtherProtocol() {
    counts = false;
    received = 0;
  }

  /** After something was decoded: counts what is left of it; false if there is no room. */
  boolean settle() {
    received = Math.min(received, mostKept); // beyond that the decoder has failed
    return hold();
  }

  private boolean hold() {
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
