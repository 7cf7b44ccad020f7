package dev.stint;

import dev.stint.algorithm.Algorithm;
import dev.stint.algorithm.Operation;
import dev.stint.algorithm.Outcome;
import java.util.ArrayList;
import java.util.List;

/** A store that counts nothing and has the same answer for everybody. */
enum Fixed implements Store {
  ADMITTING("this store admits everything"),
  DENYING("this store denies everything");

  private static final long SECOND = 1_000_000;

  private final String reason;

  Fixed(String reason) {
    this.reason = reason;
  }

  @Override
  public Decision run(Operation operation, List<KeyedLimit> limits) {
    Store.check(operation, limits);
    Fixed policy = operation.asks() ? this : ADMITTING; // who only counts is never refused
    return policy.answer(limits, time().micros(), reason);
  }

  /** This policy's answer to a hit or a peek. */
  Decision answer(List<KeyedLimit> asked, long now, String reason) {
    List<Decision> answers = new ArrayList<>(asked.size());
    for (KeyedLimit one : asked) {
      Outcome outcome = this == ADMITTING ? free(one.limit(), now) : full(one, now);
      answers.add(Decision.of(one.limit(), one.key(), outcome, Origin.because(reason)));
    }
    return Decision.of(asked, answers);
  }

  private static Outcome free(Limit limit, long now) {
    Outcome free = new Outcome();
    free.allowed = true;
    free.remaining = limit.capacity();
    free.next = Outcome.FULL;
    free.now = now;
    free.resetAt = now;
    return free;
  }

  private static Outcome full(KeyedLimit asked, long now) {
    Limit limit = asked.limit();
    long soon = Math.min(limit.algorithm().window(), SECOND);
    Outcome full = new Outcome();
    full.used = limit.capacity();
    full.wait = asked.cost() > limit.capacity() ? Algorithm.NEVER : soon;
    full.next = soon;
    full.now = now;
    full.resetAt = now + soon;
    return full;
  }

  @Override
  public long clean() {
    return 0;
  }

  @Override
  public boolean keepsKeys() {
    return false;
  }

  @Override
  public TimeSource time() {
    return TimeSource.system();
  }

  @Override
  public void close() {}
}
