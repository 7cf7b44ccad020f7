package dev.stint.studio.simulate;

import java.util.List;
import java.util.stream.LongStream;

/**
 * {@code n} requests from {@code start} on, the same distance apart, the last before {@code end}.
 * What is not random is made of these.
 */
public record Even(long n, long start, long end) {

  /** Bursts last the 120th part of a window: half a second of a minute. */
  private static final long MOMENT = 120;

  /** When the request of this number comes, from 0 on. */
  public long at(long i) {
    // In floating point, which is exact for all that a product of two numbers below 2^53 can be,
    // and
    // does not overflow beyond.
    return start + (long) ((double) (end - start) * i / n);
  }

  /** All of them, in order. */
  public LongStream all() {
    return LongStream.range(0, n).map(this::at);
  }

  /** {@code n} at all but once, half of them before {@code middle} and half from there on. */
  static Even around(long middle, long n, long window) {
    return new Even(n, middle - window / MOMENT, middle + window / MOMENT);
  }

  /** {@code n} at all but once, from {@code start} on. */
  public static Even burst(long start, long n, long window) {
    return new Even(n, start, start + window / MOMENT);
  }

  /** {@code n} at all but once, before {@code end}. */
  public static Even burstBefore(long end, long n, long window) {
    return new Even(n, end - window / MOMENT, end);
  }

  /**
   * One round of an attacker who times windows, from {@code start} on, two windows long: a quiet
   * request opens a window; then come all that it may get in that window's last moment, in the next
   * one's first, and half-way through it.
   */
  public static List<Even> attack(long start, long amount, long window) {
    long edge = start + window;
    return List.of(
        new Even(1, start, start),
        burstBefore(edge, amount, window),
        burst(edge, amount, window),
        burst(edge + window / 2, amount, window));
  }
}
