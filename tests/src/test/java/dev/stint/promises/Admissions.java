package dev.stint.promises;

import java.util.Arrays;
import java.util.List;

/**
 * When hits were admitted. The moment of a decision is not known, only that it lies between two
 * readings of the clock, one before the call and one after it; both count as possible.
 */
final class Admissions {

  private long[] before = new long[1024];
  private long[] after = new long[1024];
  private int count;

  /** Adds one, decided at some moment from {@code before} to {@code after}. */
  void add(long before, long after) {
    if (count == this.before.length) {
      this.before = Arrays.copyOf(this.before, 2 * count);
      this.after = Arrays.copyOf(this.after, 2 * count);
    }
    this.before[count] = before;
    this.after[count] = after;
    count++;
  }

  static Admissions of(List<Admissions> parts) {
    Admissions all = new Admissions();
    for (Admissions part : parts) {
      for (int i = 0; i < part.count; i++) {
        all.add(part.before[i], part.after[i]);
      }
    }
    return all;
  }

  int count() {
    return count;
  }

  /**
   * The most admissions that certainly lie in one span of so many ticks of the clock, the first
   * tick included and the one after the last not.
   */
  int densest(long span) {
    Integer[] latestFirst = new Integer[count];
    Arrays.setAll(latestFirst, i -> i);
    Arrays.sort(latestFirst, (i, j) -> Long.compare(before[j], before[i]));
    long[] ends = Arrays.copyOf(after, count);
    Arrays.sort(ends);
    // A span may as well start where an admission does. Going back in time, `ended` counts those
    // that start in the span or later, by the rank of their end.
    Ranks ended = new Ranks(count);
    int most = 0;
    for (int k = 0; k < count; k++) {
      int i = latestFirst[k];
      ended.add(below(ends, after[i]));
      boolean lastOfTick = k + 1 == count || before[latestFirst[k + 1]] < before[i];
      if (lastOfTick) {
        most = Math.max(most, ended.countBelow(below(ends, before[i] + span)));
      }
    }
    return most;
  }

  /** How many of the sorted values are less than {@code bound}. */
  private static int below(long[] sorted, long bound) {
    int low = 0;
    int high = sorted.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted[middle] < bound) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** A Fenwick tree: how many of the ranks added so far are below another. */
  private static final class Ranks {

    private final int[] sums;

    Ranks(int size) {
      sums = new int[size + 1];
    }

    void add(int rank) {
      for (int i = rank + 1; i < sums.length; i += i & -i) {
        sums[i]++;
      }
    }

    int countBelow(int rank) {
      int sum = 0;
      for (int i = rank; i > 0; i -= i & -i) {
        sum += sums[i];
      }
      return sum;
    }
  }
}
