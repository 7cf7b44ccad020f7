package dev.stint.studio.trial;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * How much keys use within one span of the clock: of every key its busiest span, and of every span
 * of every key how much it was.
 *
 * <p>Both are exact, and there are few different numbers in them: spans of 1, 2, 3 … n units need
 * n²/2 units in all. From them follows, for any amount, what a {@code fixed-window} of that amount
 * and this span would do: exactly whom it would refuse ({@link #keysAbove}), and how much ({@link
 * #unitsAbove}), exactly if every request costs one unit. A request of several units that does not
 * fit is refused whole, so that with those it would refuse that much or more.
 *
 * <p>A span of more than 2^31 − 1 units counts as one of just so many.
 */
public final class Distribution {

  private final long span;
  private long start = Long.MIN_VALUE;
  private int keys;
  private int[] current = new int[1 << 10];
  private int[] count = new int[1 << 10];
  private int[] peak = new int[1 << 10];
  private final TreeMap<Integer, Long> spans = new TreeMap<>();

  /** A distribution over spans of so many microseconds. */
  public Distribution(long span) {
    this.span = span;
  }

  /** A key used {@code cost} units. Moments come in order. */
  public void add(long micros, int key, long cost) {
    long index = Math.floorDiv(micros, span);
    if (start == Long.MIN_VALUE) {
      start = index;
    }
    if (key >= keys) {
      grow(key + 1);
    }
    int now = (int) (index - start);
    if (current[key] != now || count[key] == 0) {
      finish(key);
      current[key] = now;
      count[key] = 0;
    }
    count[key] = (int) Math.min(Integer.MAX_VALUE, count[key] + Math.min(cost, Integer.MAX_VALUE));
    peak[key] = Math.max(peak[key], count[key]);
  }

  private void finish(int key) {
    if (count[key] > 0) {
      spans.merge(count[key], 1L, Long::sum);
    }
  }

  private void grow(int least) {
    if (least > current.length) {
      int room = Math.max(least, current.length * 2);
      current = Arrays.copyOf(current, room);
      count = Arrays.copyOf(count, room);
      peak = Arrays.copyOf(peak, room);
    }
    keys = least;
  }

  /** The length of a span, in microseconds. */
  public long span() {
    return span;
  }

  /** The most that a key used in one span. */
  public int peakOf(int key) {
    return peak[key];
  }

  /** How many keys have a busiest span of exactly so many units, lowest first. */
  public Map<Integer, Long> peaks() {
    Map<Integer, Long> all = new TreeMap<>();
    for (int key = 0; key < keys; key++) {
      if (peak[key] > 0) {
        all.merge(peak[key], 1L, Long::sum);
      }
    }
    return all;
  }

  /** How many spans, of any key, had exactly so many units, lowest first. */
  public Map<Integer, Long> spans() {
    Map<Integer, Long> all = new TreeMap<>(spans);
    for (int key = 0; key < keys; key++) {
      if (count[key] > 0) {
        all.merge(count[key], 1L, Long::sum);
      }
    }
    return all;
  }

  /** How many keys use more than {@code amount} in a span: whom such a limit would refuse. */
  public long keysAbove(long amount) {
    long above = 0;
    for (int key = 0; key < keys; key++) {
      above += peak[key] > amount ? 1 : 0;
    }
    return above;
  }

  /** How many units are beyond {@code amount} in their span: how much it would refuse at least. */
  public long unitsAbove(long amount) {
    long above = 0;
    for (Map.Entry<Integer, Long> one : spans().entrySet()) {
      above += Math.max(0, one.getKey() - amount) * one.getValue();
    }
    return above;
  }
}
