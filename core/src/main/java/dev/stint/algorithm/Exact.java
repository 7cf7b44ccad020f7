package dev.stint.algorithm;

/** Arithmetic whose products may leave 64 bits although its results do not. */
final class Exact {

  private Exact() {}

  /** floor((a·b + c) / m), for a, b, c ≥ 0, m &gt; 0 and a result below 2^63. */
  static long divide(long a, long b, long c, long m) {
    long high = Math.multiplyHigh(a, b);
    long low = a * b;
    if (high == 0 && low >= 0 && low + c >= 0) {
      return (low + c) / m;
    }
    long sum = low + c;
    return wide(Long.compareUnsigned(sum, low) < 0 ? high + 1 : high, sum, m, false);
  }

  /** (a·b) mod m, under the same conditions. */
  static long remainder(long a, long b, long m) {
    long high = Math.multiplyHigh(a, b);
    long low = a * b;
    return high == 0 && low >= 0 ? low % m : wide(high, low, m, true);
  }

  /** ceil((a·b + c) / m), under the same conditions. */
  static long divideUp(long a, long b, long c, long m) {
    return divide(a, b, c + (m - 1), m);
  }

  /** Long division of a 128-bit number, bit by bit: rare enough to be the plain one. */
  private static long wide(long high, long low, long m, boolean remainder) {
    long quotient = 0;
    long rest = high % m;
    for (int bit = 63; bit >= 0; bit--) {
      rest = (rest << 1) | ((low >>> bit) & 1);
      quotient <<= 1;
      if (rest >= m) {
        rest -= m;
        quotient |= 1;
      }
    }
    return remainder ? rest : quotient;
  }
}
