package dev.stint.studio.trial;

import dev.stint.studio.cli.Span;
import java.util.Arrays;

/**
 * What is known of every key, whatever is tried: how often it came and in what manner.
 *
 * <p>Sixteen bytes a key and its name elsewhere: a million keys are no burden.
 */
public final class Population {

  private static final int NOT_YET = Integer.MIN_VALUE;

  private final long start;
  private int keys;
  private int[] requests = new int[1 << 10];
  private int[] firstSecond = new int[1 << 10];
  private int[] lastSecond = new int[1 << 10];
  private int[] busySeconds = new int[1 << 10];

  /** Nobody yet. Moments are counted from {@code start}. */
  public Population(long start) {
    this.start = start;
    Arrays.fill(lastSecond, NOT_YET);
  }

  /** A key came. */
  public void add(long micros, int key) {
    if (key >= keys) {
      grow(key + 1);
    }
    int second = (int) ((micros - start) / Span.SECOND);
    if (requests[key]++ == 0) {
      firstSecond[key] = second;
    }
    if (lastSecond[key] != second) {
      lastSecond[key] = second;
      busySeconds[key]++;
    }
  }

  private void grow(int least) {
    if (least > requests.length) {
      int before = requests.length;
      int room = Math.max(least, before * 2);
      requests = Arrays.copyOf(requests, room);
      firstSecond = Arrays.copyOf(firstSecond, room);
      lastSecond = Arrays.copyOf(lastSecond, room);
      busySeconds = Arrays.copyOf(busySeconds, room);
      Arrays.fill(lastSecond, before, room, NOT_YET);
    }
    keys = least;
  }

  /** How many keys came. */
  public int keys() {
    return keys;
  }

  /** How often a key came. */
  public int requestsOf(int key) {
    return requests[key];
  }

  /** How a key came, in words such as {@code steady, 3 a second}. */
  public String patternOf(int key) {
    return Pattern.of(requests[key], 1 + lastSecond[key] - firstSecond[key], busySeconds[key]);
  }
}
