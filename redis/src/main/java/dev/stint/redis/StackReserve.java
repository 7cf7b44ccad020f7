package dev.stint.redis;

/**
 * Overflows the stack early, while nothing has been changed yet.
 *
 * <p>A {@link StackOverflowError} in the middle of Lettuce, or between a change and its counterpart
 * in a {@code finally}, would leave things half done for good. So a call first descends about as
 * far as it may have to go, and comes back at once.
 */
final class StackReserve {

  /** Frames of about 100 bytes compiled and twice that interpreted: 32 KB at least. */
  private static final int FRAMES = 320;

  private StackReserve() {}

  /** Throws {@link StackOverflowError} if there is not enough stack left for a call. */
  static void check() {
    if (descend(FRAMES, 1, 2, 3, 4, 5, 6, 7, 8) == 0) {
      throw new AssertionError("the sum of what is passed down is not zero");
    }
  }

  /** Every number is needed after the call as well, so that each frame has to keep them. */
  private static long descend(
      int frames, long a, long b, long c, long d, long e, long f, long g, long h) {
    if (frames == 0) {
      return 1;
    }
    long below = descend(frames - 1, h, a, b, c, d, e, f, g);
    return below | (a & b & c & d & e & f & g & h);
  }
}
