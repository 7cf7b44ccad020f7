package dev.stint.model;

import java.util.Arrays;

/**
 * Hits in the order of their times, no two at one time, each with its units. Beside every entry
 * stands the sum of all before it, so that a long log answers by halving; the rare deed inside a
 * log walks over it.
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
    int found = Arrays.binarySearch(times, first, end, time);
    return found >= 0 ? found + 1 - first : -found - 1 - first;
  }

  /** The place of the entry at exactly {@code time}; negative if there is none. */
  int find(long time) {
    int found = Arrays.binarySearch(times, first, end, time);
    return found >= 0 ? found - first : -1;
  }

  /**
   * Adds units at {@code time}, which is not before the newest entry; joins it if it is the same.
   */
  void append(long time, long units) {
    if (size() == 0 || time(size() - 1) != time) {
      makeRoom();
      times[end] = time;
      before[end] = total;
      end++;
    }
    total = Math.addExact(total, units);
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
