package dev.stint.algorithm;

/**
 * Remembers every hit, and counts those of the last window exactly.
 *
 * <p>The state is a {@link Log}: entries of a time and the units charged then, oldest first. A hit
 * fits when the entries younger than one window sum to at most limit − cost; an entry exactly one
 * window old is out. The wait is until enough of the oldest have left: if e units must go, it is
 * the window's end of the first entry with which the running sum reaches e.
 *
 * <p>Nothing bursts through an edge here, there is none: in <em>every</em> span of one window at
 * most {@code limit} units are admitted. It is paid for in memory, up to one entry per admitted
 * unit, so prefer the sliding counter where an estimate will do, and keep this for small limits
 * that must hold to the letter.
 *
 * <p>An {@code inc} that goes beyond the limit does not grow the log: it is absorbed by the newest
 * entry, which moves to now. That entry can only count for longer by it, and the log stays bounded
 * by the limit.
 *
 * <p><em>A clock that steps back</em> finds a newest entry in the future. Up to one window ahead
 * the log is read as at that entry, and nothing leaves it; further ahead all its entries are
 * shifted so that the newest is now.
 */
public final class SlidingLog implements Algorithm {

  private final long limit;
  private final long window;

  public SlidingLog(long limit, long window) {
    this.limit = limit;
    this.window = window;
  }

  @Override
  public void advance(State state, long now) {
    Log log = state.log;
    if (log == null) {
      return;
    }
    if (isAhead(state, now)) {
      log.shift(now - log.newest());
      state.moved = true;
    }
    state.time = log.newest();
    state.expired = log.firstAfter(Math.max(now, state.time) - window);
    if (state.expired == log.size()) {
      state.clear();
    }
  }

  @Override
  public boolean isAhead(State state, long now) {
    return state.log != null && state.log.newest() > now + window;
  }

  @Override
  public long used(State state, long now) {
    return state.log == null ? 0 : state.log.unitsFrom(state.expired);
  }

  @Override
  public long waitFor(State state, long now, long cost) {
    if (cost > limit) {
      return NEVER;
    }
    Log log = state.log;
    long excess = used(state, now) + cost - limit;
    if (log == null || excess <= 0) {
      return 0;
    }
    return log.time(log.reaching(state.expired, excess)) + window - now;
  }

  @Override
  public void add(State state, long now, long amount) {
    if (amount < 0) {
      giveBack(state, -amount);
    } else if (amount > 0) {
      charge(state, now, amount);
    }
  }

  private void charge(State state, long now, long amount) {
    Log log = state.log;
    if (log == null) {
      log = new Log(window);
      state.log = log;
      state.present = true;
      state.time = now;
      state.expired = 0; // what advance() noted was of a log that is gone
      log.append(now, amount, limit);
      return;
    }
    settle(state, log);
    long moment = Math.max(now, state.time);
    boolean beyond = log.unitsFrom(0) + amount > limit;
    if (beyond || (state.frugal && log.isFilled())) {
      log.absorb(moment, amount);
    } else {
      log.append(moment, amount, limit);
    }
    state.time = moment;
  }

  private void giveBack(State state, long amount) {
    Log log = state.log;
    if (log == null) {
      return;
    }
    settle(state, log);
    log.removeNewest(amount);
    forgetIfEmpty(state, log);
  }

  @Override
  public long resetAt(State state, long now) {
    return state.log == null ? now : state.time + window;
  }

  @Override
  public void undo(State state, long now, long amount, long stamp, long fraction) {
    Log log = state.log;
    if (log == null) {
      return;
    }
    settle(state, log);
    log.removeAt(stamp, amount);
    forgetIfEmpty(state, log);
  }

  /** Drops what {@code advance} only noted, now that the log is written to anyway. */
  private static void settle(State state, Log log) {
    log.dropOldest(state.expired);
    state.expired = 0;
  }

  private static void forgetIfEmpty(State state, Log log) {
    if (log.size() == 0) {
      state.clear();
    } else {
      state.time = log.newest();
    }
  }

  @Override
  public void restore(State state, long resetAt, long number, long previous) {
    throw new IllegalStateException("a log must be kept whole: it has more than a few numbers");
  }

  @Override
  public Script script() {
    return Script.SLIDING_LOG;
  }

  @Override
  public long[] numbers() {
    return new long[] {limit, window};
  }

  @Override
  public long capacity() {
    return limit;
  }

  @Override
  public long window() {
    return window;
  }
}
