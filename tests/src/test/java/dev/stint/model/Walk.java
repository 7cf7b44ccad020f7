package dev.stint.model;

import java.util.ArrayList;
import java.util.List;

/**
 * How time goes in a random trace: a quarter of the steps lead to a moment that the last answer
 * promised, or to the microsecond before it, for a slip of one microsecond shows nowhere else. The
 * others stand still, creep, leap, and now and then step back. Some walks lead to the end of time.
 */
final class Walk {
  /** Where time turns back, before anything is cut off by the end of time. */
  private static final long HORIZON = 180 * RandomTerms.YEAR;

  private final Dice dice;
  private final boolean calm;
  private final boolean late;
  private final long horizon;
  private final List<Long> promises = new ArrayList<>();
  private long now;
  private boolean onPromise;

  /**
   * A walk.
   *
   * @param calm whether time only goes on
   */
  Walk(Dice dice, boolean calm) {
    this.dice = dice;
    this.calm = calm;
    late = dice.chance(5);
    horizon = late ? Terms.END - 1 : HORIZON;
    now = late ? horizon - beforeTheEnd() : start();
  }

  private long start() {
    return dice.chance(5) ? 0 : dice.between(31 * RandomTerms.YEAR, 70 * RandomTerms.YEAR);
  }

  private long beforeTheEnd() {
    return dice.logUniform(1_000, 110 * RandomTerms.YEAR);
  }

  long now() {
    return now;
  }

  /** Whether time would have to turn back to stay in its range, and may not. */
  boolean isOver() {
    return calm && now >= horizon;
  }

  /** Whether the last step led to a promised moment or the microsecond before one. */
  boolean isOnPromise() {
    return onPromise;
  }

  /** Remembers when the answer of this moment says that something changes. */
  void listen(Answer answer) {
    promises.clear();
    for (Answer.Own own : answer.limits()) {
      listen(own.retryAfter(), 4);
      listen(own.nextAfter().orElse(0), 3);
      listen(own.resetAfter(), 1);
    }
  }

  private void listen(long wait, int weight) {
    for (int i = 0; i < weight && wait > 0 && wait < horizon; i++) {
      promises.add(now + wait);
    }
  }

  void step(Terms terms) {
    onPromise = false;
    promises.removeIf(moment -> moment <= now || moment > horizon);
    if (!promises.isEmpty() && dice.chance(40)) {
      now = dice.of(promises) - dice.below(2);
      onPromise = true;
      return;
    }
    if (now >= horizon) {
      now -= late ? beforeTheEnd() : 100 * RandomTerms.YEAR;
      return;
    }
    long window = terms.kind() == Terms.Kind.QUOTA ? 1_000_000 : terms.window();
    long next = Math.max(0, now + leap(window, terms.amount()));
    now = late ? Math.min(next, horizon) : next;
  }

  private long leap(long window, long amount) {
    return switch (dice.weighted(450, 80, 200, 120, 30, 20, 25, 2)) {
      case 0 -> 0;
      case 1 -> dice.between(1, 10);
      case 2 -> dice.between(0, 3 * (window / amount + 1));
      case 3 -> dice.logUniform(1, window);
      case 4 -> window * dice.between(1, 2) + dice.between(-1, 1);
      case 5 -> dice.between(1, 3 * window);
      case 6 -> calm ? 0 : -back(window);
      default -> dice.logUniform(RandomTerms.YEAR / 365, 5 * RandomTerms.YEAR);
    };
  }

  private long back(long window) {
    return switch (dice.weighted(30, 30, 10, 20, 10)) {
      case 0 -> dice.logUniform(1, 1_000);
      case 1 -> dice.between(1, window);
      case 2 -> window + dice.between(-1, 1);
      case 3 -> dice.between(window, 3 * window);
      default -> dice.logUniform(window, 20 * RandomTerms.YEAR);
    };
  }
}
