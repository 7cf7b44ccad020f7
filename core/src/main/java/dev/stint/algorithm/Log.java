package dev.stint.algorithm;

/**
 * The entries of one sliding log, oldest first, in a ring of one word each.
 *
 * <p>A word holds the low {@value #TIME_BITS} bits of the entry's time and the low {@value
 * #SUM_BITS} bits of the sum of all units before it. Both are enough: all entries lie within one
 * window of the newest, whose time is kept in full, so a time is recovered from its distance to it;
 * and two sums differ by less than a log may hold, 10^6. With running sums instead of units, "which
 * entry brings the sum to e" is a search and not a walk, so a hit costs the same in a log of 100
 * and of 10,000.
 *
 * <p>The newest entry alone may hold more units than that; its units follow from the total. It is
 * the newest for good then, because a log that full admits nothing and absorbs everything.
 *
 * <p>Entries have different times, except that one beyond the limit may have the time of the one
 * before it.
 *
 * <p>Windows of 2^42 microseconds (50 days) and more do not fit the word; their entries take two.
 *
 * <p><em>Errors.</em> A log is changed in place, so a call that dies of an {@link Error} must not
 * leave one half changed. Therefore every method that changes it works everything out first, and
 * then writes without making a call or an allocation, either of which may fail.
 */
public final class Log {

  private static final int TIME_BITS = 43;
  private static final int SUM_BITS = 21;
  private static final long TIME_MASK = (1L << TIME_BITS) - 1;
  private static final long SUM_MASK = (1L << SUM_BITS) - 1;
  private static final int SMALLEST = 4;

  /** The largest limit of a log, and the most units of an entry that is not the newest. */
  private static final long MOST_UNITS = 1_000_000;

  private final boolean wide;
  private long[] ring;
  private int head;
  private int size;
  private long newest;
  private long total;

  // Whether the newest entry holds only what was charged beyond the limit.
  private boolean beyond;

  /** How many entries a store has counted against its budget for this log. For stores. */
  public int counted;

  // Added to every time stored; a shift of the whole log changes only this.
  private long bias;

  Log(long window) {
    wide = window >= 1L << (TIME_BITS - 1);
    ring = new long[0];
  }

  /** Entries held. */
  public int size() {
    return size;
  }

  /** Entries there is room for. */
  public int room() {
    return wide ? ring.length >> 1 : ring.length;
  }

  /** Gives back the room beyond the entries held. */
  public void trim() {
    resize(size);
  }

  boolean isFilled() {
    return size == room();
  }

  /**
   * Whether another entry may be begun apart, see {@link #append}: the newest is not one already,
   * and holds no more units than one that is not the newest may.
   */
  boolean mayEndApart() {
    return !beyond && total <= MOST_UNITS;
  }

  /** The time of the newest entry. */
  long newest() {
    return newest + bias;
  }

  /** The time of entry {@code i}. */
  long time(int i) {
    return timeStored(i) + bias;
  }

  /** The first entry younger than {@code moment}; {@link #size} if none is. */
  int firstAfter(long moment) {
    long bound = moment - bias;
    if (newest <= bound) {
      return size;
    }
    int low = 0;
    int step = 1;
    // Gallop: in steady traffic only an entry or two have left since the last call.
    while (low + step < size && timeStored(low + step - 1) <= bound) {
      low += step;
      step <<= 1;
    }
    int high = Math.min(low + step, size) - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (timeStored(middle) <= bound) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The units of the entries from {@code i} on. */
  long unitsFrom(int i) {
    return i == size ? 0 : total - unitsBetween(0, i);
  }

  /** The first entry, from {@code i} on, with which the running sum reaches {@code units}. */
  int reaching(int i, long units) {
    int low = i;
    int step = 1;
    while (low + step < size && unitsBetween(i, low + step) < units) {
      low += step;
      step <<= 1;
    }
    int high = Math.min(low + step, size) - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (unitsBetween(i, middle + 1) < units) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * Adds units at {@code moment}, which is not before the newest entry.
   *
   * @param limit how many entries the log will ever hold, and one apart
   * @param apart whether to begin an entry beyond the limit, even if the newest has the same time
   */
  void append(long moment, long units, long limit, boolean apart) {
    long stored = moment - bias;
    long most = apart ? limit + 1 : limit;
    long before = size == 0 ? 0 : total;
    long after = Math.min(before + units, Algorithm.MAX_COUNT);
    int entries = size;
    if (size == 0 || stored > newest || apart) {
      long sum = size == 0 ? 0 : sumBefore(0) + total;
      ensureRoom(most);
      write(size, stored, sum); // nothing reads it before the size is raised
      entries++;
    }
    size = entries;
    newest = stored;
    beyond = apart;
    total = after;
  }

  /** Adds units to the newest entry, and moves it to {@code moment}. */
  void absorb(long moment, long units) {
    long stored = moment - bias;
    long after = Math.min(total + units, Algorithm.MAX_COUNT);
    write(size - 1, stored, sumBefore(size - 1));
    newest = stored;
    total = after;
  }

  /** Moves every entry in time. */
  void shift(long micros) {
    bias += micros;
  }

  /** Forgets the {@code n} oldest entries. */
  void dropOldest(int n) {
    long units = unitsBetween(0, n);
    int first = slot(n);
    total -= units;
    head = first;
    size -= n;
  }

  /** Takes units away, from the newest entries first. */
  void removeNewest(long units) {
    long rest = total - Math.min(units, total);
    if (rest == 0) {
      total = 0;
      size = 0;
      beyond = false;
    } else {
      int last = reaching(0, rest);
      long time = timeStored(last);
      total = rest;
      beyond &= last == size - 1;
      newest = time;
      size = last + 1;
    }
  }

  /**
   * Takes up to {@code units} away from the entry at {@code moment}, if there is one. Only
   * differences of sums count, so either the later entries' are lowered or the earlier ones'
   * raised, whichever are fewer.
   *
   * @param last whether to take the last of several entries with that time, and not the first
   */
  void removeAt(long moment, boolean last, long units) {
    int i = last ? firstAfter(moment) - 1 : firstAfter(moment - 1);
    if (i < 0 || i == size || time(i) != moment) {
      return;
    }
    long held = i == size - 1 ? unitsFrom(i) : unitsBetween(i, i + 1);
    long taken = Math.min(units, held);
    boolean emptied = taken == held;
    boolean newestGoes = emptied && i == size - 1 && size > 1;
    take(i, taken, emptied, newestGoes ? timeStored(size - 2) : newest);
  }

  /**
   * Takes units away from entry {@code i}, and closes the gap if it is emptied. Makes no call.
   *
   * @param newestAfter the time of the newest entry afterwards
   */
  private void take(int i, long units, boolean emptied, long newestAfter) {
    int width = wide ? 2 : 1;
    int room = ring.length / width;
    boolean later = size - i <= i;
    int from = later ? i + 1 : 0;
    int to = later ? size : i + 1;
    for (int j = from; j < to; j++) {
      int slot = head + j < room ? head + j : head + j - room;
      int at = slot * width + width - 1; // where the sum is
      long sum = ring[at] + (later ? -units : units);
      ring[at] = (ring[at] & ~SUM_MASK) | (sum & SUM_MASK);
    }
    total -= units;
    if (emptied) {
      int step = later ? 1 : -1;
      int end = later ? size - 1 : 0;
      for (int j = i; j != end; j += step) {
        int target = head + j < room ? head + j : head + j - room;
        int next = head + j + step;
        int source = next < room ? next : next - room;
        ring[target * width] = ring[source * width];
        ring[target * width + width - 1] = ring[source * width + width - 1];
      }
      head = later ? head : head + 1 < room ? head + 1 : 0;
      beyond &= i < size - 1;
      newest = newestAfter;
      size--;
    }
  }

  /** Units of entries {@code from} to {@code to}, exclusive; {@code to} must be an entry. */
  private long unitsBetween(int from, int to) {
    return (sumBefore(to) - sumBefore(from)) & SUM_MASK;
  }

  private long sumBefore(int i) {
    return wide ? ring[2 * slot(i) + 1] : ring[slot(i)] & SUM_MASK;
  }

  private long timeStored(int i) {
    if (wide) {
      return ring[2 * slot(i)];
    }
    return newest - ((newest - (ring[slot(i)] >>> SUM_BITS)) & TIME_MASK);
  }

  private void write(int i, long time, long sum) {
    int slot = slot(i);
    if (wide) {
      ring[2 * slot] = time;
      ring[2 * slot + 1] = sum & SUM_MASK;
    } else {
      ring[slot] = (time << SUM_BITS) | (sum & SUM_MASK);
    }
  }

  private int slot(int i) {
    int slot = head + i;
    return slot < room() ? slot : slot - room();
  }

  private void ensureRoom(long most) {
    if (isFilled()) {
      long grown = Math.min(most, Math.max(SMALLEST, size + (size >> 1)));
      resize((int) Math.max(grown, size + 1));
    }
  }

  private void resize(int room) {
    int words = wide ? 2 : 1;
    if (room * words == ring.length) {
      return;
    }
    int first = Math.min(size, room() - head);
    long[] copy = new long[room * words];
    System.arraycopy(ring, head * words, copy, 0, first * words);
    System.arraycopy(ring, 0, copy, first * words, (size - first) * words);
    ring = copy;
    head = 0;
  }
}
