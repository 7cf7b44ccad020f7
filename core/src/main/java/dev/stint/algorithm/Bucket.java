package dev.stint.algorithm;

/**
 * A bucket that holds up to {@code capacity} units and leaks {@code limit} of them per window,
 * continuously. Seen from the other side it is a token bucket: tokens left = capacity − level. Both
 * admit the same requests, and so does GCRA, whose way of keeping the state this is.
 *
 * <p><em>The state is one instant</em>: the moment at which the bucket will be empty. The level
 * falls by one unit each interval T = window / limit, so
 *
 * <pre>level(now) = (instant − now) / T        charge c:  instant = max(instant, now) + c·T</pre>
 *
 * <p>and c units fit when the new instant is at most capacity · T away from now. There is no level
 * to refill and no rounding to accumulate; an instant that has passed is an empty bucket, the same
 * as a key never seen.
 *
 * <p><em>Exactness.</em> T is rarely a whole number of microseconds: 30,000 per second make it 33
 * ⅓, and an interval rounded to 33 lets 1 % too many through. So T = q + r/k in lowest terms, and
 * the instant is kept as whole microseconds plus a fraction in k-ths. 7 per 3 s: T = 3,000,000 / 7
 * = 428,571 + 3/7; after 7 units the fraction has come round to zero and the instant has moved by 3
 * s, not a microsecond more, every time for a year.
 *
 * <p><em>Waiting.</em> c units fit at the moment instant − (capacity − c) · T, rounded up to a
 * whole microsecond, since one microsecond earlier they do not.
 *
 * <p><em>A change of amount</em> keeps the instant: the debt is kept in time, so half used stays
 * half used. The fraction's k-ths are then other k-ths, wrong by less than a microsecond, once.
 *
 * <p><em>A clock that steps back</em> makes the bucket look fuller than full: it stands capacity ·
 * T plus the step before it is empty. Up to one window that is borne, and nothing is minted;
 * beyond, the bucket is made exactly full, so nobody is blocked for longer than one window.
 *
 * <p><em>A debt</em>, which an {@code inc} or a denied hit that is counted leaves, ends at capacity
 * + limit units. An {@code inc} fills up to exactly there; a denied hit takes whole units only, so
 * that what it charged is a number that can be given back.
 *
 * <p><em>The end of time.</em> No instant lies beyond {@link #LAST_MOMENT}: debts end there, and a
 * cost that would have to lead beyond it never fits.
 */
public final class Bucket implements Algorithm {

  private final long capacity;
  private final long limit;
  private final long window;

  // T = whole + part/k = interval/k microseconds.
  private final long whole;
  private final long part;
  private final long k;
  private final long interval;

  // capacity · T: how far ahead of now the instant of a full bucket lies.
  private final long depth;
  private final long depthFraction;

  private final boolean countsDenied;

  public Bucket(long limit, long window, long capacity, boolean countsDenied) {
    this.limit = limit;
    this.window = window;
    this.capacity = capacity;
    this.countsDenied = countsDenied;
    long divisor = gcd(limit, window);
    k = limit / divisor;
    interval = window / divisor;
    whole = interval / k;
    part = interval % k;
    depth = wholeOf(capacity);
    depthFraction = fractionOf(capacity);
  }

  @Override
  public void advance(State state, long now) {
    if (!state.present) {
      return;
    }
    if (state.fraction >= k) {
      state.fraction = k - 1;
    }
    if (state.time < now || (state.time == now && state.fraction == 0)) {
      state.clear();
    } else if (isAhead(state, now)) {
      state.time = now + depth;
      state.fraction = depthFraction;
      state.moved = true;
    }
  }

  @Override
  public boolean isAhead(State state, long now) {
    return state.present && isBeyondFull(state.time - now, state.fraction);
  }

  @Override
  public long used(State state, long now) {
    return state.present ? Exact.divideUp(state.time - now, k, state.fraction, interval) : 0;
  }

  @Override
  public long waitFor(State state, long now, long cost) {
    if (cost > capacity) {
      return NEVER;
    }
    if (!state.present) {
      return now + depth < LAST_MOMENT || now + wholeOf(cost) < LAST_MOMENT ? 0 : NEVER;
    }
    long end = state.time + wholeOf(cost);
    long fraction = state.fraction + fractionOf(cost);
    if (end + (fraction >= k ? 1 : 0) >= LAST_MOMENT) {
      return NEVER;
    }
    // The cost fits once the instant is no more than (capacity − cost) · T ahead of now.
    fraction -= depthFraction;
    long wait = end - now - depth;
    return Math.max(0, wait + (fraction > k ? 2 : fraction > 0 ? 1 : 0));
  }

  @Override
  public void add(State state, long now, long amount) {
    if (amount < 0 && state.present) {
      giveBack(state, now, -amount);
    } else if (amount > 0) {
      charge(state, now, amount);
    }
  }

  private void charge(State state, long now, long amount) {
    if (!state.present) {
      state.present = true;
      state.time = now;
    }
    // No more than capacity + limit is ever owed; limit · T is the window.
    if (amount < capacity + limit) {
      long fraction = state.fraction + fractionOf(amount);
      state.time += wholeOf(amount) + (fraction >= k ? 1 : 0);
      state.fraction = fraction >= k ? fraction - k : fraction;
    }
    if (amount >= capacity + limit || isBeyondFull(state.time - now, state.fraction)) {
      state.time = now + window + depth;
      state.fraction = depthFraction;
    }
    if (state.time >= LAST_MOMENT) {
      state.time = LAST_MOMENT;
      state.fraction = 0;
    }
  }

  private void giveBack(State state, long now, long amount) {
    if (amount >= capacity + limit) {
      state.clear();
    } else {
      giveBack(state, now, wholeOf(amount), fractionOf(amount));
    }
  }

  private void giveBack(State state, long now, long micros, long fraction) {
    long rest = state.fraction - fraction;
    state.time -= micros + (rest < 0 ? 1 : 0);
    state.fraction = rest < 0 ? rest + k : rest;
    if (state.time < now || (state.time == now && state.fraction == 0)) {
      state.clear();
    }
  }

  @Override
  public long headroom(State state, long now) {
    long most = now + window + depth;
    long micros = Math.min(most, LAST_MOMENT) - (state.present ? state.time : now);
    long fraction = (most < LAST_MOMENT ? depthFraction : 0) - state.fraction;
    if (fraction < 0) {
      micros--;
      fraction += k;
    }
    return micros < 0 ? 0 : Exact.divide(micros, k, fraction, interval);
  }

  @Override
  public long resetAt(State state, long now) {
    if (!state.present) {
      return now;
    }
    return state.fraction > 0 ? state.time + 1 : state.time;
  }

  /** What has leaked of the charge since is gone: no more than the rest is given back. */
  @Override
  public void undo(State state, long now, long amount, long stamp, long fraction) {
    long rest = stamp - now;
    if (!state.present || rest < 0) {
      return;
    }
    // An amount that large is of an earlier, larger limit: more than this one can owe.
    if (amount < capacity + limit) {
      long micros = wholeOf(amount);
      long kths = fractionOf(amount);
      if (rest > micros || (rest == micros && fraction >= kths)) {
        giveBack(state, now, micros, kths);
        return;
      }
    }
    giveBack(state, now, rest, Math.min(fraction, k - 1));
  }

  /** Whether an instant so far ahead of now is more than a full bucket and a window away. */
  private boolean isBeyondFull(long ahead, long fraction) {
    long most = depth + window;
    return ahead > most || (ahead == most && fraction > depthFraction);
  }

  /** floor(n · T). The ordinary hit costs 1, and needs no division. */
  private long wholeOf(long n) {
    return part == 0 || n == 1 ? n * whole : n * whole + Exact.divide(n, part, 0, k);
  }

  /** The k-ths of a microsecond of n · T. */
  private long fractionOf(long n) {
    return part == 0 || n == 1 ? part : Exact.remainder(n, part, k);
  }

  private static long gcd(long a, long b) {
    return b == 0 ? a : gcd(b, a % b);
  }

  @Override
  public void restore(State state, long resetAt, long number, long previous) {
    state.present = true;
    state.time = number > 0 ? resetAt - 1 : resetAt;
    state.fraction = number;
  }

  @Override
  public Script script() {
    return Script.BUCKET;
  }

  @Override
  public long[] numbers() {
    return new long[] {limit, window, capacity, k, whole, part, depth, depthFraction};
  }

  @Override
  public long capacity() {
    return capacity;
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
