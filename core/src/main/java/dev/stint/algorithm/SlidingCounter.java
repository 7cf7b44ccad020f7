package dev.stint.algorithm;

/**
 * Estimates the hits of the last window from two counts: this window's, and what is left of the one
 * before it.
 *
 * <p>The state is a start and the counts <em>previous</em> and <em>current</em>. At the moment
 * {@code elapsed} into the current window, the last window's length covers all of the current count
 * and the last {@code (window − elapsed) / window} of the previous one. So
 *
 * <pre>used = current + floor(previous · (window − elapsed) / window)</pre>
 *
 * <p>which is exact when the previous window's hits came evenly, and off by at most the unevenness
 * within one window. Worked: 10 per 60 s, previous 8, current 3, 15 s into the window: 8 · 45/60 =
 * 6, so 9 are used and one more fits. A second one fits when 8 · (60 − e)/60 falls below 6, that is
 * at e = 15.000001 s: the wait is one microsecond.
 *
 * <p>The window is anchored at the key's first hit and shifts by whole windows; two idle windows
 * are forgotten, and the next hit anchors anew. A shift that is due twice never happens: by then
 * the state has been forgotten.
 *
 * <p><em>Waiting.</em> A cost fits once the previous count's share is at most {@code x = limit −
 * cost − current}. With p the previous count, floor(p · r / w) ≤ x means r ≤ ceil((x + 1) · w / p)
 * − 1 for the remainder r = w − elapsed. If x is negative this window cannot end the wait, and the
 * same question is asked of the next one, where today's current is the previous count.
 *
 * <p><em>Units.</em> limit · window must stay below 2^53, so elapsed counts in the finest of
 * microseconds, milliseconds and seconds that keeps it there: {@code unit}.
 *
 * <p><em>The end of time.</em> A window with hits is remembered for two windows, so none starts
 * later than two windows before {@link #LAST_MOMENT}. The last one is not followed by another: its
 * hits count in full until it is forgotten.
 */
public final class SlidingCounter implements Algorithm {

  private final long limit;
  private final long window;
  private final long unit;
  private final long units;
  private final long lastStart;
  private final boolean countsDenied;

  /**
   * A window of {@code window} microseconds whose elapsed part counts in {@code unit} microseconds.
   */
  public SlidingCounter(long limit, long window, long unit, boolean countsDenied) {
    this.limit = limit;
    this.window = window;
    this.unit = unit;
    this.units = window / unit;
    this.lastStart = LAST_MOMENT - 2 * window;
    this.countsDenied = countsDenied;
  }

  @Override
  public void advance(State state, long now) {
    if (!state.present) {
      return;
    }
    if (isAhead(state, now)) {
      state.time = now;
      state.moved = true;
    } else if (now >= resetAt(state, now)) {
      state.clear();
    } else if (now >= state.time + window && !isLast(state)) {
      state.previous = state.count;
      state.count = 0;
      state.time += window;
    }
  }

  @Override
  public boolean isAhead(State state, long now) {
    return state.present && state.time > now + window;
  }

  /** Whether the window that follows would not end before the end of time. */
  private boolean isLast(State state) {
    return state.time > lastStart - window;
  }

  @Override
  public long used(State state, long now) {
    if (state.previous == 0) {
      return state.count;
    }
    long elapsed = Math.min(Math.max(0, now - state.time), window) / unit;
    long share = Exact.divide(state.previous, units - elapsed, 0, units);
    return Math.min(state.count + share, MAX_COUNT);
  }

  @Override
  public long waitFor(State state, long now, long cost) {
    if (cost > limit) {
      return NEVER;
    }
    long room = limit - cost - state.count;
    if (room < 0) {
      long next = isLast(state) ? window : decayed(state.count, limit - cost);
      return state.time + window + next - now;
    }
    if (state.previous <= room) {
      return 0;
    }
    return Math.max(0, state.time + decayed(state.previous, room) - now);
  }

  /** How far into a window the share of {@code previous} first is no more than {@code room}. */
  private long decayed(long previous, long room) {
    return unit * (units + 1 - Exact.divideUp(room + 1, units, 0, previous));
  }

  @Override
  public void add(State state, long now, long amount) {
    if (!state.present) {
      if (amount < 0) {
        return;
      }
      state.present = true;
      state.time = Math.min(now, lastStart);
    }
    long count = state.count + amount;
    if (count < 0) {
      state.previous = Math.max(0, state.previous + count);
    }
    state.count = Math.max(0, Math.min(count, MAX_COUNT));
  }

  @Override
  public long headroom(State state, long now) {
    return MAX_COUNT - state.count;
  }

  @Override
  public long resetAt(State state, long now) {
    if (!state.present) {
      return now;
    }
    return Math.max(now, state.time + (state.count > 0 ? 2 * window : window));
  }

  @Override
  public void undo(State state, long now, long amount, long stamp, long fraction) {
    if (!state.present) {
      return;
    }
    if (state.time == stamp) {
      state.count = Math.max(0, state.count - amount);
    } else if (state.time == stamp + window) {
      state.previous = Math.max(0, state.previous - amount);
    }
  }

  @Override
  public void restore(State state, long resetAt, long number, long previous) {
    state.present = true;
    state.time = resetAt - (number > 0 ? 2 * window : window);
    state.count = number;
    state.previous = previous;
  }

  @Override
  public Script script() {
    return Script.SLIDING_COUNTER;
  }

  @Override
  public long[] numbers() {
    return new long[] {limit, window, unit, units};
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
}
