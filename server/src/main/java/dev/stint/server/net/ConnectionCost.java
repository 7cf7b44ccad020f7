package dev.stint.server.net;

/**
 * What a connection costs in heap, measured and rounded up (docs/decisions.md says how). It is what
 * a client gets for next to nothing, so it decides how many connections fit.
 */
public final class ConnectionCost {

  /** A connection that says nothing, without encryption. */
  static final long PLAIN = 8 << 10;

  /** A TLS handshake, and the encryption afterwards. */
  static final long ENCRYPTION = 32 << 10;

  /** An HTTP/2 connection in addition: its tables of headers and of streams. */
  public static final long HTTP2 = 16 << 10;

  /** A stream, with its request and response, but without its headers. */
  public static final long STREAM = 8 << 10;

  /** A request of HTTP/1.1 that waits for those before it. */
  public static final long PIPELINED = 1 << 10;

  /** A header: an entry of a map and two texts, beside their characters. */
  public static final long HEADER = 160;

  private ConnectionCost() {}

  /** A connection that says nothing. */
  public static long least(boolean encrypted) {
    return encrypted ? PLAIN + ENCRYPTION : PLAIN;
  }
}
