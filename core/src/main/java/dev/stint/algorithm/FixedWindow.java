package dev.stint.algorithm;

/**
 * Counts hits in windows that follow one another without overlap.
 *
 * <p>The state is a start and a count. A hit fits while count + cost ≤ limit; at start + window the
 * count is forgotten. The two kinds differ only in where a window starts:
 *
 * <ul>
 *   <li><em>aligned</em>: at a multiple of the window since the epoch, so that every key's minute
 *       is the clock's minute and a quota "per day" ends at midnight UTC;
 *   <li><em>per key</em>: at the key's first hit, so that resets of many keys are spread out.
 * </ul>
 *
 * <p>It is the cheapest algorithm and the most generous: with 100 per minute a caller may spend 100
 * at 0:59.999 and another 100 at 1:00.000. Whoever knows the edge gets twice the limit in an
 * instant; the sliding algorithms exist because of that.
 *
 * <p>A clock that steps back finds a window that starts in the future. Up to one window ahead it is
 * kept, and nothing is minted; further ahead it is moved to now with its count, so nobody is
 * blocked for longer than one window.
 *
 * <p>The last windows before {@link #LAST_MOMENT} end there. A window per key starts early enough
 * for that; one of the clock starts where it must, and is cut off.
 */
public final class FixedWindow implements Algorithm {

  private final long limit;
  private final long window;
  private final boolean aligned;
  private final boolean countsDenied;

  public FixedWindow(long limit, long window, boolean aligned, boolean countsDenied) {
    this.limit = limit;
    this.window = window;
    this.aligned = aligned;
    this.countsDenied = countsDenied;
  }

  @Override
  public void advance(State state, long now) {
    if (!state.present) {
      return;
    }
    if (now >= state.time + window) {
      state.clear();
    } else if (isAhead(state, now)) {
      state.time = start(now);
      state.moved = true;
    }
  }

  @Override
  public boolean isAhead(State state, long now) {
    return state.present && state.time > now + window;
  }

  @Override
  public long used(State state, long now) {
    return state.count;
  }

  @Override
  public long waitFor(State state, long now, long cost) {
    if (cost > limit) {
      return NEVER;
    }
    return state.count + cost <= limit ? 0 : end(state) - now;
  }

  @Override
  public void add(State state, long now, long amount) {
    if (!state.present) {
      if (amount < 0) {
        return;
      }
      state.present = true;
      state.time = start(now);
    }
    state.count = Math.max(0, Math.min(state.count + amount, MAX_COUNT));
  }

  @Override
  public long headroom(State state, long now) {
    return MAX_COUNT - state.count;
  }

  /** A window of the clock stays where it is, also one that lies ahead. */
  @Override
  public void empty(State state) {
    if (aligned) {
      state.count = 0;
    } else {
      state.clear();
    }
  }

  @Override
  public long resetAt(State state, long now) {
    return state.present ? end(state) : now;
  }

  private long end(State state) {
    return Math.min(state.time + window, LAST_MOMENT);
  }

  @Override
  public void undo(State state, long now, long amount, long stamp, long fraction) {
    if (state.present && state.time == stamp) {
      add(state, now, -amount);
    }
  }

  private long start(long now) {
    return aligned ? now - Math.floorMod(now, window) : Math.min(now, LAST_MOMENT - window);
  }

  @Override
  public void restore(State state, long resetAt, long number, long previous) {
    state.present = true;
    state.time = resetAt == LAST_MOMENT && aligned ? start(resetAt - 1) : resetAt - window;
    state.count = number;
  }

  @Override
  public Script script() {
    return Script.FIXED_WINDOW;
  }

  @Override
  public long[] numbers() {
    return new long[] {limit, window, aligned ? 1 : 0};
  }

  @Override
  public long capacity() {
    return limit;
  }

  @Override
  public long window() {
    return window;
  }

  @Override
  public boolean countsDenied() {
    return countsDenied;
  }

  @Override
  public boolean followsWallClock() {
    return aligned;
  }
}
