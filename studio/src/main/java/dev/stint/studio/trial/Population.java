package dev.stint.studio.trial;

import dev.stint.studio.cli.Span;
import java.util.Arrays;

/**
 * What is known of every key, whatever is tried: how often it came and in what manner.
 *
 * <p>Twenty bytes a key and its name elsewhere: a million keys are no burden.
 */
public final class Population {

  // What is known of a key lies side by side, so that it is fetched together.
  private static final int WORDS = 5;
  private static final int REQUESTS = 0;
  private static final int FIRST_SECOND = 1;
  private static final int LAST_SECOND = 2;
  private static final int BUSY_SECONDS = 3;
  private static final int LONGEST_SILENCE = 4;

  private final long start;
  private int keys;
  private int[] known = new int[WORDS << 10];

  // The second of the last moment: the next one is nearly always in it too.
  private int second;
  private long secondFrom;
  private long secondTo;

  /** Nobody yet. Moments are counted from {@code start}. */
  public Population(long start) {
    this.start = start;
  }

  /** A key came. */
  public void add(long micros, int key) {
    if (key >= keys) {
      grow(key + 1);
    }
    if (micros < secondFrom || micros >= secondTo) {
      second = (int) ((micros - start) / Span.SECOND);
      secondFrom = start + second * Span.SECOND;
      secondTo = secondFrom + Span.SECOND;
    }
    int at = key * WORDS;
    if (known[at + REQUESTS]++ == 0) {
      known[at + FIRST_SECOND] = second;
      known[at + LAST_SECOND] = second;
      known[at + BUSY_SECONDS] = 1;
    } else if (known[at + LAST_SECOND] != second) {
      int silence = second - known[at + LAST_SECOND];
      known[at + LONGEST_SILENCE] = Math.max(known[at + LONGEST_SILENCE], silence);
      known[at + LAST_SECOND] = second;
      known[at + BUSY_SECONDS]++;
    }
  }

  private void grow(int least) {
    if (least * WORDS > known.length) {
      known = Arrays.copyOf(known, Math.max(least * WORDS, known.length * 2));
    }
    keys = least;
  }

  /** How many keys came. */
  public int keys() {
    return keys;
  }

  /** How often a key came. */
  public int requestsOf(int key) {
    return known[key * WORDS + REQUESTS];
  }

  /** How a key came, in words such as {@code steady, 3 a second}. */
  public String patternOf(int key) {
    int at = key * WORDS;
    return Pattern.of(
        known[at + REQUESTS],
        1 + known[at + LAST_SECOND] - known[at + FIRST_SECOND],
        known[at + BUSY_SECONDS],
        known[at + LONGEST_SILENCE]);
  }
}
