package dev.stint.studio.recommend;

/** Amounts that people would choose: 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40 … */
final class NiceNumber {

  /** In tenths, so that the odd ones are left out below 10. */
  private static final int[] TENTHS = {10, 12, 15, 20, 25, 30, 40, 50, 60, 80};

  private NiceNumber() {}

  /** The lowest nice number that is not below {@code n}. */
  static long from(long n) {
    for (long power = 1; ; power *= 10) {
      for (int tenths : TENTHS) {
        long nice = tenths * power / 10;
        if (nice >= n && tenths * power % 10 == 0) {
          return nice;
        }
      }
    }
  }
}
