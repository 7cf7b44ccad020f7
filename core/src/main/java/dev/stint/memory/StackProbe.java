package dev.stint.memory;

/**
 * Uses up a little stack and gives it back, to find out before a row is held whether there is
 * enough left to release it.
 *
 * <p>A caller close to the end of its stack fails here, where nothing has been taken yet. What runs
 * between holding and releasing may still overflow, if it goes deeper than this; but the release
 * itself, and all else that gives back what was taken, needs only a few small frames and cannot.
 */
final class StackProbe {

  /** More frames than any release needs, in compiled code, whose frames are the smallest. */
  private static final int FRAMES = 16;

  private StackProbe() {}

  /** Throws {@link StackOverflowError} if there is too little stack to go on. */
  static void check() {
    descend(FRAMES, 1, 2, 3, 4, 5, 6, 7, 8);
  }

  // The arguments make frames large. The result depends on all of them, so that none is left out.
  private static long descend(
      int depth, long a, long b, long c, long d, long e, long f, long g, long h) {
    if (depth == 0) {
      return a ^ b ^ c ^ d ^ e ^ f ^ g ^ h;
    }
    return descend(depth - 1, b, c, d, e, f, g, h, a) + depth;
  }
}
