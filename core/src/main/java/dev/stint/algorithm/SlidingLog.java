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
 * <p>Where denied hits are counted, this would happen at every refusal, and the hits that were
 * admitted just before could no longer be given back, because their entry is found by its time. So
 * there the first charge beyond the limit is an entry of its own, also within the same microsecond,
 * and later ones are absorbed by that one. The log has at most one entry more than the limit. As
 * two entries may then have the same time, the stamp of a charge says in its fraction which one it
 * went to: 1 for the entry beyond the limit.
 *
 * <p><em>A clock that steps back</em> finds a newest entry in the future. Up to one window ahead
 * the log is read as at that entry, and nothing leaves it; further ahead all its entries are
 * shifted so that the newest is now.
 *
 * <p>No entry is later than one window before {@link #LAST_MOMENT}, so that all have left by then.
 */
public final class SlidingLog implements Algorithm {

  private final long limit;
  private final long window;
  private final boolean countsDenied;

  public SlidingLog(long limit, long window, boolean countsDenied) {
    this.limit = limit;
    this.window = window;
    this.countsDenied = countsDenied;
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
    } else {
      settle(state, log);
    }
    long moment = Math.min(Math.max(now, state.time), LAST_MOMENT - window);
    boolean beyond = log.unitsFrom(0) + amount > limit;
    boolean apart = beyond && countsDenied && log.mayEndApart();
    boolean full = (beyond && !apart) || (state.frugal && log.isFilled());
    if (full && log.size() > 0) {
      log.absorb(moment, amount);
    } else {
      log.append(moment, amount, limit, apart);
    }
    state.time = moment;
    state.fraction = beyond && countsDenied ? 1 : 0;
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
  public long headroom(State state, long now) {
    return MAX_COUNT - used(state, now);
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
    log.removeAt(stamp, fraction == 1, amount);
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

  @Override
  public boolean countsDenied() {
    return countsDenied;
  }
}
