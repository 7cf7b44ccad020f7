package dev.stint.algorithm;

import org.jspecify.annotations.Nullable;

/**
 * What is remembered of one key under one limit: a few integers, whose meaning belongs to the
 * algorithm.
 *
 * <p>It is a bare struct on purpose. A store fills one, has an operation run on it, and writes the
 * fields back; in between it is never shared, and where a hit is one compare-and-set it never
 * reaches the heap. A state that is not {@link #present} is that of a key never seen.
 */
public final class State {

  /** Whether anything is remembered. When false, there is no time, no number and no log. */
  public boolean present;

  /** No state yet: that of a key never seen. */
  public State() {}

  /** A window's start, a log's newest entry, or the whole microseconds of a bucket's instant. */
  public long time;

  /**
   * The k-ths of a microsecond of a bucket's instant; of a log, 1 after a charge that went to the
   * entry beyond the limit.
   */
  public long fraction;

  /** Units counted in the window. */
  public long count;

  /** Units counted in the window before this one. */
  public long previous;

  /**
   * The hits themselves, for a sliding log. Shared with the store's own row: add and undo change
   * it, and advance only when it is {@link #moved}.
   */
  public @Nullable Log log;

  /** Entries at the head of {@link #log} that have left the window; they go with the next write. */
  int expired;

  /**
   * Whether the clock was found to have stepped back so far that the state was moved. It must then
   * be written back whatever the answer, or the next caller would move it again and wait anew.
   */
  public boolean moved;

  /**
   * Whether a log may not take more memory than it has. Set by a store that is short of it; the
   * next entry then merges into the newest, which only ever makes it count for longer.
   */
  public boolean frugal;

  /**
   * Whether a denied hit was charged with a part of its cost only, because the state is saturated.
   * What it charged then does not follow from the state.
   */
  public boolean clipped;

  /** The one of count and fraction that the algorithm uses; the other is always zero. */
  public long number() {
    return count | fraction;
  }

  /** Makes this the state of a key never seen. Small enough to be inlined wherever it is called. */
  public void clear() {
    present = false;
    time = 0;
    fraction = 0;
    count = 0;
    previous = 0;
    log = null;
  }

  /** Makes this as good as a new one, to be used again. */
  public void reuse() {
    clear();
    expired = 0;
    frugal = false;
    moved = false;
    clipped = false;
  }
}
