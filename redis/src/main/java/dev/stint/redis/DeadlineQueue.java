package dev.stint.redis;

import org.jspecify.annotations.Nullable;

/**
 * What is under way, in the order in which it is due, and how much it weighs.
 *
 * <p>An entry is in the queue from when it is added until it is removed, and the weight is that of
 * the entries that are in it: there is no count that could be raised without an entry, and no entry
 * that stays beyond its time, because whatever is not removed before is told to {@linkplain
 * Entry#expire expire}, again and again should that fail. Adding and removing allocate nothing.
 *
 * <p>Nearly all entries of a queue may take equally long, so a new one belongs at the end or close
 * to it. An entry that has ended is removed at once, and is garbage then.
 */
final class DeadlineQueue implements Timer.Task {

  private static final long AGAIN = 1_000_000;

  /** Something that has to end in time. */
  abstract static class Entry {

    private final int weight;
    private volatile @Nullable DeadlineQueue queue;
    private @Nullable Entry previous;
    private @Nullable Entry next;
    private long due;

    Entry(int weight) {
      this.weight = weight;
    }

    int weight() {
      return weight;
    }

    /** Ends this, unless it has ended, and removes it from its queue. Called when it is due. */
    abstract void expire();
  }

  private final Timer timer;
  private @Nullable Entry first;
  private @Nullable Entry last;
  private long weight;

  DeadlineQueue(Timer timer) {
    this.timer = timer;
    timer.add(this);
  }

  /** Adds an entry, or gives it another time. */
  void add(Entry entry, long due) {
    boolean unused = add(entry, due, Long.MAX_VALUE);
  }

  /** Adds an entry if the weight is below {@code most}. Returns whether it did. */
  boolean add(Entry entry, long due, long most) {
    synchronized (this) {
      if (weight >= most) {
        return false;
      }
      if (entry.queue == this) {
        unlink(entry);
      }
      entry.due = due;
      link(entry);
      if (first != entry) {
        return true;
      }
    }
    timer.wakeBy(due);
    return true;
  }

  /** Removes an entry; one that is not here is left alone. */
  void remove(Entry entry) {
    if (entry.queue == this) { // looked at without the lock first: many are removed twice
      removeLinked(entry);
    }
  }

  private synchronized void removeLinked(Entry entry) {
    if (entry.queue == this) {
      unlink(entry);
    }
  }

  synchronized long weight() {
    return weight;
  }

  synchronized boolean isEmpty() {
    return first == null;
  }

  /** Links an entry that is due later than most. */
  private void link(Entry entry) {
    Entry before = last;
    while (before != null && before.due - entry.due > 0) {
      before = before.previous;
    }
    link(entry, before);
  }

  /** Links an entry that is due before most. */
  private void linkFromFront(Entry entry) {
    Entry before = null;
    for (Entry one = first; one != null && one.due - entry.due <= 0; one = one.next) {
      before = one;
    }
    link(entry, before);
  }

  private void link(Entry entry, @Nullable Entry before) {
    Entry after = before == null ? first : before.next;
    entry.previous = before;
    entry.next = after;
    if (before == null) {
      first = entry;
    } else {
      before.next = entry;
    }
    if (after == null) {
      last = entry;
    } else {
      after.previous = entry;
    }
    entry.queue = this;
    weight += entry.weight;
  }

  private void unlink(Entry entry) {
    Entry before = entry.previous;
    Entry after = entry.next;
    if (before == null) {
      first = after;
    } else {
      before.next = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.previous = before;
    }
    entry.queue = null;
    entry.previous = null;
    entry.next = null;
    weight -= entry.weight;
  }

  @Override
  public long look(long now) {
    for (; ; ) {
      Entry due;
      synchronized (this) {
        due = first;
        if (due == null) {
          return Timer.NEVER;
        }
        if (due.due - now > 0) {
          return due.due - now;
        }
        // It comes again unless it has left by then, so a failure to end it is not the last word.
        unlink(due);
        due.due = now + AGAIN;
        linkFromFront(due);
      }
      expire(due);
    }
  }

  private static void expire(Entry entry) {
    try {
      entry.expire();
    } catch (Throwable e) {
      // It is still in the queue.
    }
  }

  /** Ends all entries at once, whenever they are due, those that are added meanwhile included. */
  void expireAll() {
    for (Entry entry = poll(); entry != null; entry = poll()) {
      expire(entry);
    }
  }

  private synchronized @Nullable Entry poll() {
    Entry entry = first;
    if (entry != null) {
      unlink(entry);
    }
    return entry;
  }
}
