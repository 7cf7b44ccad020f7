package dev.stint.server.engine;

import dev.stint.Decision;
import dev.stint.Key;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.algorithm.Algorithm;
import dev.stint.algorithm.Outcome;
import java.util.ArrayList;
import java.util.List;

/**
 * The answer to a key that is blocked: its own limits, used up until the block ends. So every wire
 * tells it in its own way, with exact times, and no store is asked.
 */
final class Blocked {

  private Blocked() {}

  static Decision decide(Terms terms, Key key, long cost, long now, long until) {
    List<KeyedLimit> asked = terms.on(key, cost);
    List<Decision> answers = new ArrayList<>(asked.size());
    for (KeyedLimit one : asked) {
      Outcome outcome = new Outcome();
      tell(one.limit(), cost, now, until, outcome);
      answers.add(Decision.of(one.limit(), key, outcome, false));
    }
    return Decision.of(asked, answers);
  }

  static void tell(Limit limit, long cost, long now, long until, Outcome told) {
    long wait = Math.max(1, until - now);
    told.allowed = false;
    told.changed = false;
    told.used = limit.capacity();
    told.remaining = 0;
    told.wait = cost > limit.capacity() ? Algorithm.NEVER : wait;
    told.next = wait;
    told.now = now;
    told.resetAt = now + wait;
    told.charged = 0;
    told.stamp = 0;
    told.fraction = 0;
    told.number = 0;
    told.previous = 0;
  }
}
