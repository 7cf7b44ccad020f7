package dev.stint.model;

import java.util.Arrays;

/**
 * Hits in the order of their times, each with its units. Those of one time are one entry, unless
 * one was begun apart. Beside every entry stands the sum of all before it, so that a long log
 * answers by halving; the rare deed inside a log walks over it.
 */
final class Entries {
  private long[] times = new long[4];
  private long[] before = new long[4];
  private int first;
  private int end;
  private long total;

  int size() {
    return end - first;
  }

  long time(int place) {
    return times[first + place];
  }

  private long units(int place) {
    return unitsFrom(place) - unitsFrom(place + 1);
  }

  /** The units of the entries from this place on. */
  long unitsFrom(int place) {
    return place == size() ? 0 : total - before[first + place];
  }

  /** How many entries are no later than {@code time}. */
  int countUpTo(long time) {
    int low = 0;
    int high = size();
    while (low < high) {
      int middle = (low + high) / 2;
      if (time(middle) <= time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The place of the first entry at exactly {@code time}; negative if there is none. */
  int findFirst(long time) {
    int place = countUpTo(time - 1);
    return place < size() && time(place) == time ? place : -1;
  }

  /** The place of the last entry at exactly {@code time}; negative if there is none. */
  int findLast(long time) {
    int place = countUpTo(time) - 1;
    return place >= 0 && time(place) == time ? place : -1;
  }

  /**
   * Adds units at {@code time}, which is not before the newest entry; joins it if it is the same.
   */
  void append(long time, long units) {
    if (size() == 0 || time(size() - 1) != time) {
      begin(time);
    }
    total = Math.addExact(total, units);
  }

  /** Adds units as an entry of its own. */
  void appendApart(long time, long units) {
    begin(time);
    total = Math.addExact(total, units);
  }

  private void begin(long time) {
    makeRoom();
    times[end] = time;
    before[end] = total;
    end++;
  }

  private void makeRoom() {
    if (end < times.length) {
      return;
    }
    int size = size();
    int room = Math.max(4, 2 * size);
    times = Arrays.copyOf(Arrays.copyOfRange(times, first, end), room);
    before = Arrays.copyOf(Arrays.copyOfRange(before, first, end), room);
    first = 0;
    end = size;
  }

  void moveNewest(long time) {
    times[end - 1] = time;
  }

  void moveBy(long shift) {
    for (int i = first; shift != 0 && i < end; i++) {
      times[i] += shift;
    }
  }

  void dropOldest(int count) {
    first += count;
  }

  void takeNewest(long units) {
    long left = units;
    while (left > 0 && size() > 0) {
      int newest = size() - 1;
      long taken = Math.min(left, units(newest));
      takeAt(newest, taken);
      left -= taken;
    }
  }

  /** Takes up to {@code units} from one entry, and the entry itself when none remain. */
  void takeAt(int place, long units) {
    long taken = Math.min(units, units(place));
    boolean emptied = taken == units(place);
    for (int i = first + place + 1; i < end; i++) {
      before[i] -= taken;
    }
    total -= taken;
    if (emptied) {
      int at = first + place;
      System.arraycopy(times, at + 1, times, at, end - at - 1);
      System.arraycopy(before, at + 1, before, at, end - at - 1);
      end--;
    }
  }
}
