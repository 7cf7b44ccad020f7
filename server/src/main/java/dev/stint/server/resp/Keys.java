package dev.stint.server.resp;

/** Takes keys out of requests, mostly without making anything new. */
final class Keys {

  private static final int SHORT = 256;

  private final int longest;
  private final boolean reuse;
  private final byte[][] byLength = new byte[SHORT + 1][];

  /**
   * Keys of at most so many bytes.
   *
   * @param reuse whether nobody keeps a key, so that its array can be used again
   */
  Keys(int longest, boolean reuse) {
    this.longest = longest;
    this.reuse = reuse;
    for (int length = 0; reuse && length <= SHORT; length++) {
      byLength[length] = new byte[length];
    }
  }

  /** Whether an argument can be a key; if not, says so. */
  boolean accept(Frame frame, int argument, Reply reply) {
    int length = frame.length(argument);
    if (length > 0 && length <= longest) {
      return true;
    }
    reply.error("ERR key must have 1 to " + longest + " bytes: " + length);
    return false;
  }

  /** The key, for as long as no other is taken. */
  byte[] take(Frame frame, int argument) {
    int length = frame.length(argument);
    return frame.copy(argument, reuse && length <= SHORT ? byLength[length] : new byte[length]);
  }
}
