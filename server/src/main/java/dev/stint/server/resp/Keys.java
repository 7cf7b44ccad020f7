package dev.stint.server.resp;

import dev.stint.Key;

/** Takes keys out of requests, mostly without making anything new. */
final class Keys {

  private static final int SHORT = 256;

  private final int longest;
  private final boolean reuse;
  private final Key[] byLength = new Key[SHORT + 1];

  /**
   * Keys of at most so many bytes.
   *
   * @param reuse whether nobody keeps a key, so that its array can be used again
   */
  Keys(int longest, boolean reuse) {
    this.longest = longest;
    this.reuse = reuse;
    for (int length = 1; reuse && length <= SHORT; length++) {
      byLength[length] = Key.of(new byte[length]);
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

  /** The key, to be kept as long as one likes. */
  static byte[] copy(Frame frame, int argument) {
    return frame.copy(argument, new byte[frame.length(argument)]);
  }

  /** The key, for as long as no other is taken. */
  Key take(Frame frame, int argument) {
    int length = frame.length(argument);
    if (reuse && length <= SHORT && byLength[length].value() instanceof byte[] bytes) {
      frame.copy(argument, bytes);
      return byLength[length];
    }
    return Key.of(copy(frame, argument));
  }
}
