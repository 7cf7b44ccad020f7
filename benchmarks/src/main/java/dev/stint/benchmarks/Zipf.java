package dev.stint.benchmarks;

import java.util.SplittableRandom;

/**
 * Draws ranks from 0 on, where rank k comes in proportion to 1 / (k + 1)^s.
 *
 * <p>By the alias method: all ranks are cut to columns of equal height, each holding a part of one
 * rank and a part of at most one other, so that a draw is one column and one toss.
 */
public final class Zipf {

  private final double[] keep;
  private final int[] alias;

  /** Of so many ranks. */
  public Zipf(int ranks, double s) {
    if (ranks < 1) {
      throw new IllegalArgumentException("ranks must be at least 1: " + ranks);
    }
    keep = heights(ranks, s);
    alias = new int[ranks];
    level();
  }

  /** The weights, scaled so that their mean is one. */
  private static double[] heights(int ranks, double s) {
    double[] heights = new double[ranks];
    double sum = 0;
    for (int k = 0; k < ranks; k++) {
      heights[k] = Math.pow(k + 1, -s);
      sum += heights[k];
    }
    for (int k = 0; k < ranks; k++) {
      heights[k] *= ranks / sum;
    }
    return heights;
  }

  /** Fills every column below one from a column above one. */
  private void level() {
    int ranks = keep.length;
    int[] low = new int[ranks];
    int[] high = new int[ranks];
    int lows = 0;
    int highs = 0;
    for (int k = 0; k < ranks; k++) {
      if (keep[k] < 1) {
        low[lows++] = k;
      } else {
        high[highs++] = k;
      }
    }
    while (lows > 0 && highs > 0) {
      int small = low[--lows];
      int large = high[highs - 1];
      alias[small] = large;
      keep[large] -= 1 - keep[small];
      if (keep[large] < 1) {
        highs--;
        low[lows++] = large;
      }
    }
    // What is left differs from one by rounding only.
    while (lows > 0) {
      keep[low[--lows]] = 1;
    }
    while (highs > 0) {
      keep[high[--highs]] = 1;
    }
  }

  /** The next rank. */
  public long next(SplittableRandom random) {
    int column = random.nextInt(keep.length);
    return random.nextDouble() < keep[column] ? column : alias[column];
  }
}
