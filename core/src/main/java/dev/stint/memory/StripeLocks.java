package dev.stint.memory;

/** The stripes of two tables whose locks one caller has taken. */
final class StripeLocks {

  private final Table first;
  private final Table second;
  private long inFirst;
  private long inSecond;

  /**
   * No locks yet.
   *
   * @param second the table whose locks are taken after those of {@code first}; may be the same
   */
  StripeLocks(Table first, Table second) {
    this.first = first;
    this.second = second;
  }

  /** Takes locks of a table, ascending. Each is recorded as soon as it is taken. */
  void lock(Table table, long stripes) {
    for (long rest = stripes; rest != 0; rest &= rest - 1) {
      long stripe = rest & -rest;
      table.lock(Long.numberOfTrailingZeros(stripe)).lock();
      if (table == first) {
        inFirst |= stripe;
      } else {
        inSecond |= stripe;
      }
    }
  }

  boolean isEmpty() {
    return (inFirst | inSecond) == 0;
  }

  boolean has(Table table, int stripe) {
    return ((table == first ? inFirst : inSecond) & 1L << stripe) != 0;
  }

  void unlock() {
    while (inSecond != 0) {
      second.lock(Long.numberOfTrailingZeros(inSecond)).unlock();
      inSecond &= inSecond - 1;
    }
    while (inFirst != 0) {
      first.lock(Long.numberOfTrailingZeros(inFirst)).unlock();
      inFirst &= inFirst - 1;
    }
  }
}
