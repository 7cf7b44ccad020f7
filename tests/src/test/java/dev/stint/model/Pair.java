package dev.stint.model;

import dev.stint.Decision;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.Store;
import dev.stint.memory.MemoryStore;
import dev.stint.testkit.ManualTime;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A store and a model that are told the same, and must answer the same. */
final class Pair {

  /** What a call charged, in both. */
  record Granted(Decision decision, Answer answer) {}

  private final ManualTime time;
  private final Store store;
  private final History history;
  private final Model model = new Model();
  private List<Terms> limits;
  private RateLimiter limiter;

  Pair(ManualTime time, Store store, History history, List<Terms> limits) {
    this.time = time;
    this.store = store;
    this.history = history;
    this.limits = List.copyOf(limits);
    limiter = limiter();
  }

  private RateLimiter limiter() {
    return RateLimiter.of(store, limits.stream().map(Limits::of).toArray(Limit[]::new));
  }

  private long now() {
    return time.micros();
  }

  /** Gives the limiter other limits of its own; the store keeps what it counted. */
  void change(List<Terms> changed) {
    limits = List.copyOf(changed);
    limiter = limiter();
    history.add(now(), "the limits become", changed, "");
  }

  Granted ask(List<Ask> asks, boolean hit) {
    Answer answer = answer(asks, hit);
    Decision decision = hit ? limiter.hit(Limits.of(asks)) : limiter.peek(Limits.of(asks));
    return compare(asks, answer, decision);
  }

  /** Asks the limiter's own limits. */
  Granted ask(String key, long cost, boolean hit) {
    List<Ask> asks = own(key, cost);
    Answer answer = answer(asks, hit);
    return compare(asks, answer, hit ? limiter.hit(key, cost) : limiter.peek(key, cost));
  }

  private List<Ask> own(String key, long cost) {
    return limits.stream().map(terms -> Ask.of(terms, key, cost)).toList();
  }

  private Answer answer(List<Ask> asks, boolean hit) {
    Answer answer = hit ? model.hit(now(), asks) : model.peek(now(), asks);
    history.add(now(), hit ? "hit" : "peek", asks, answer);
    return answer;
  }

  private Granted compare(List<Ask> asks, Answer answer, Decision decision) {
    String difference = Comparison.of(answer, asks, decision);
    if (!difference.isEmpty()) {
      throw history.failure(difference);
    }
    checkPromises(asks, answer);
    return new Granted(decision, answer);
  }

  /**
   * The model must keep to the definition of a wait itself: then it fits, one microsecond before it
   * does not. So must a whole call, unless it would come so close to the end of time that a bucket
   * admits nothing any more.
   */
  private void checkPromises(List<Ask> asks, Answer answer) {
    for (int i = 0; i < asks.size(); i++) {
      Ask ask = asks.get(i);
      long wait = answer.limits().get(i).retryAfter();
      boolean kept =
          !isFinite(wait)
              || (fitsUnlessTimeEnds(now() + wait, ask) && !model.fits(now() + wait - 1, ask));
      boolean keptByAll =
          !isFinite(answer.retryAfter())
              || ask.shadow()
              || fitsUnlessTimeEnds(now() + answer.retryAfter(), ask);
      if (!kept || !keptByAll) {
        throw history.failure("  the model breaks its own promise: " + ask);
      }
    }
  }

  /**
   * Whether there is room then; or would not be for a key never seen, so close to the last moment.
   */
  private boolean fitsUnlessTimeEnds(long then, Ask ask) {
    return model.fits(then, ask) || !Account.fitsWhereNothingIs(ask.terms(), then, ask.charge());
  }

  private static boolean isFinite(long wait) {
    return wait > 0 && wait < Terms.FOREVER;
  }

  void inc(Ask ask) {
    model.inc(now(), ask.terms(), ask.key(), ask.cost());
    long used = model.state(now(), ask.terms(), ask.key()).used();
    expect("inc", ask, used, () -> limiter.inc(Limits.of(ask)));
  }

  void inc(String key, long n) {
    limits.forEach(terms -> model.inc(now(), terms, key, n));
    expect("inc of all by " + n, key, leastLeft(key), () -> limiter.inc(key, n));
  }

  /** The count of that own limit which has least left on a key, the first of several. */
  private long leastLeft(String key) {
    return limits.stream()
        .map(terms -> model.state(now(), terms, key))
        .reduce((one, other) -> other.remaining() < one.remaining() ? other : one)
        .orElseThrow()
        .used();
  }

  void refund(Ask ask) {
    history.add(now(), "refund", ask, "");
    model.refund(now(), ask.terms(), ask.key(), ask.cost());
    limiter.refund(Limits.of(ask));
  }

  void refund(String key, long n) {
    history.add(now(), "refund of all by " + n, key, "");
    limits.forEach(terms -> model.refund(now(), terms, key, n));
    limiter.refund(key, n);
  }

  void refund(Granted granted) {
    history.add(now(), "refund of decision", granted.answer().charges(), "");
    model.refund(now(), granted.answer());
    limiter.refund(granted.decision());
  }

  void set(Ask ask, long n) {
    history.add(now(), "set to " + n, ask, "");
    model.set(now(), ask.terms(), ask.key(), n);
    limiter.set(Limits.of(ask), n);
  }

  void set(String key, long n) {
    history.add(now(), "set of all to " + n, key, "");
    limits.forEach(terms -> model.set(now(), terms, key, n));
    limiter.set(key, n);
  }

  /** Compares what get and expiresAt say. */
  void tell(Ask ask) {
    Answer.Own state = model.state(now(), ask.terms(), ask.key());
    expect("get", ask, state.used(), () -> limiter.get(Limits.of(ask)));
    expect("expiresAt", ask, expiry(state.resetAfter()), () -> limiter.expiresAt(Limits.of(ask)));
  }

  void tell(String key) {
    expect("get of all", key, leastLeft(key), () -> limiter.get(key));
    long latest =
        limits.stream()
            .mapToLong(terms -> model.state(now(), terms, key).resetAfter())
            .max()
            .orElseThrow();
    expect("expiresAt of all", key, expiry(latest), () -> limiter.expiresAt(key));
  }

  private Optional<Instant> expiry(long resetAfter) {
    if (resetAfter == 0) {
      return Optional.empty();
    }
    boolean never = resetAfter == Terms.FOREVER;
    return Optional.of(
        never ? Instant.MAX : Instant.EPOCH.plus(Comparison.duration(now() + resetAfter)));
  }

  void reset(List<Ask> asks) {
    history.add(now(), "reset", asks, "");
    asks.forEach(ask -> model.reset(ask.terms(), ask.key()));
    limiter.reset(Limits.of(asks));
  }

  void reset(String key) {
    history.add(now(), "reset of all", key, "");
    limits.forEach(terms -> model.reset(terms, key));
    limiter.reset(key);
  }

  /** A store may have forgotten some of the expired states before; afterwards it must have all. */
  void clean() {
    long most = model.clean(now());
    history.add(now(), "clean", "", most);
    long forgotten = limiter.clean();
    if (forgotten < 0 || forgotten > most) {
      throw history.failure("  clean must forget no more than " + most + ": " + forgotten);
    }
    if (store instanceof MemoryStore memory && memory.keys() != model.size()) {
      throw history.failure("  keys() must be %d: %d".formatted(model.size(), memory.keys()));
    }
  }

  private <T> void expect(String deed, Object subject, T expected, Supplier<T> deedOfStore) {
    history.add(now(), deed, subject, expected);
    T actual = deedOfStore.get();
    if (!expected.equals(actual)) {
      throw history.failure("  %s must be %s: %s".formatted(deed, expected, actual));
    }
  }
}
