package dev.stint.algorithm;

/**
 * An amount that is spent once: a bucket that never refills.
 *
 * <p>The state is a count. Nothing expires by itself, so a store may never drop a touched quota to
 * make room: that would grant it anew. Only a reset (or a refund) gives it back.
 *
 * <p>A denied hit that is counted spends what is left and no more: there is no later moment at
 * which a larger debt could make a difference.
 */
public final class Quota implements Algorithm {

  private final long limit;
  private final boolean countsDenied;

  public Quota(long limit, boolean countsDenied) {
    this.limit = limit;
    this.countsDenied = countsDenied;
  }

  @Override
  public void advance(State state, long now) {}

  @Override
  public boolean isAhead(State state, long now) {
    return false;
  }

  @Override
  public long used(State state, long now) {
    return state.count;
  }

  @Override
  public long waitFor(State state, long now, long cost) {
    return state.count + cost <= limit ? 0 : NEVER;
  }

  @Override
  public void add(State state, long now, long amount) {
    state.count = Math.max(0, Math.min(state.count + amount, MAX_COUNT));
    state.present = state.count > 0;
  }

  @Override
  public long headroom(State state, long now) {
    return Math.max(0, limit - state.count);
  }

  @Override
  public long resetAt(State state, long now) {
    return state.present ? NEVER : now;
  }

  @Override
  public void undo(State state, long now, long amount, long stamp, long fraction) {
    add(state, now, -amount);
  }

  @Override
  public void restore(State state, long resetAt, long number, long previous) {
    state.present = number > 0;
    state.count = number;
  }

  @Override
  public Script script() {
    return Script.QUOTA;
  }

  @Override
  public long[] numbers() {
    return new long[] {limit};
  }

  @Override
  public long capacity() {
    return limit;
  }

  @Override
  public long window() {
    return NEVER;
  }

  @Override
  public boolean countsDenied() {
    return countsDenied;
  }
}
