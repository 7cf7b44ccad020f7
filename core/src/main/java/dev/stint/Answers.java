package dev.stint;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answers of several limits to one call.
 *
 * <p>Most callers read only whether the call was allowed. So where a store gives numbers instead of
 * decisions, what each limit answered, and which one decided, is worked out when it is first read,
 * and then kept. Threads that read it at the same time come to equal answers. They may exchange
 * them by a data race, because lists and decisions have only final fields.
 */
final class Answers {

  /** Numbers for each limit: twice its reset plus whether it had room, its number, the previous. */
  private static final int EACH = 3;

  private static final long[] NONE = {};

  /** Whether the call was allowed. */
  final boolean allowed;

  // What was asked: the same of all limits, or something else of each.
  private final List<Limit> limits;
  private final @Nullable Key key;
  private final long cost;
  private final KeyedLimit @Nullable [] asked;

  // What was answered, unless each answer is known.
  private final boolean take;
  private final long micros;
  private final long[] numbers;

  private @Nullable List<Decision> each;
  private @Nullable Decision deciding;

  /** What was asked of several limits on one key; see {@link Decision#of}. */
  Answers(
      List<Limit> limits,
      Key key,
      long cost,
      boolean take,
      long micros,
      long[] numbers,
      Decision @Nullable [] each,
      boolean allowed) {
    this.allowed = allowed;
    this.limits = limits;
    this.key = key;
    this.cost = cost;
    this.asked = null;
    this.take = take;
    this.micros = micros;
    this.numbers = numbers;
    this.each = each == null ? null : List.of(each);
  }

  private Answers(
      KeyedLimit @Nullable [] asked,
      boolean take,
      long micros,
      long[] numbers,
      @Nullable List<Decision> each,
      @Nullable Decision deciding,
      boolean allowed) {
    this.allowed = allowed;
    this.limits = List.of();
    this.key = null;
    this.cost = 0;
    this.asked = asked;
    this.take = take;
    this.micros = micros;
    this.numbers = numbers;
    this.each = each;
    this.deciding = deciding;
  }

  /** Answers in numbers to what was asked of each limit. */
  static Answers of(KeyedLimit[] asked, boolean take, long micros, long[] numbers) {
    boolean allowed = true;
    for (int i = 0; i < asked.length; i++) {
      allowed &= asked[i].isShadow() || hasRoom(numbers, i);
    }
    return new Answers(asked, take && allowed, micros, numbers, null, null, allowed);
  }

  /** These answers to what was asked of each limit. */
  static Answers of(KeyedLimit[] asked, Decision[] each) {
    if (each.length == 0) {
      throw new IllegalArgumentException("a decision must have at least one answer: []");
    }
    boolean allowed = true;
    for (int i = 0; i < each.length; i++) {
      allowed &= asked[i].isShadow() || each[i].allowed();
    }
    return new Answers(asked, false, 0, NONE, List.of(each), null, allowed);
  }

  /** Other answers, with the one that decided. */
  static Answers of(boolean allowed, List<Decision> each, Decision deciding) {
    return new Answers(null, false, 0, NONE, each, deciding, allowed);
  }

  /** Whether all limits had room, none of them being a shadow. */
  static boolean allowed(long[] numbers) {
    boolean allowed = true;
    for (int i = 0; i < numbers.length / EACH; i++) {
      allowed &= hasRoom(numbers, i);
    }
    return allowed;
  }

  /** Whether all limits had room, none of them being a shadow. */
  static boolean allowed(Decision[] each) {
    boolean allowed = true;
    for (Decision one : each) {
      allowed &= one.allowed();
    }
    return allowed;
  }

  private static boolean hasRoom(long[] numbers, int i) {
    return (numbers[EACH * i] & 1) != 0;
  }

  /** Every limit's own answer, in the order in which they were asked. */
  List<Decision> each() {
    List<Decision> known = each;
    if (known == null) {
      Decision[] all = new Decision[numbers.length / EACH];
      for (int i = 0; i < all.length; i++) {
        all[i] = answer(i);
      }
      known = List.of(all);
      each = known;
    }
    return known;
  }

  private Decision answer(int i) {
    if (asked == null) {
      return answer(i, limits.get(i), Key.required(key), cost);
    }
    KeyedLimit one = asked[i];
    return answer(i, one.limit(), one.key(), one.cost()).in(one.tag());
  }

  private Decision answer(int i, Limit limit, Key key, long units) {
    long now = limit.algorithm().followsWallClock() ? numbers[numbers.length - 1] : micros;
    int at = EACH * i;
    return Decision.of(
        limit,
        key,
        hasRoom(numbers, i),
        false,
        null,
        now,
        units,
        take,
        numbers[at] >> 1,
        numbers[at + 1],
        numbers[at + 2],
        0);
  }

  /**
   * The answer that decided: of a refusal the one with the longest wait, otherwise the one with
   * least left. Shadows decide only among themselves.
   */
  Decision deciding() {
    Decision known = deciding;
    if (known == null) {
      List<Decision> all = each();
      boolean watched = isWatched();
      for (int i = 0; i < all.size(); i++) {
        Decision one = all.get(i);
        if ((watched || !isShadow(i)) && (known == null || outweighs(one, known))) {
          known = one;
        }
      }
      if (known == null) {
        throw new IllegalStateException("a decision must have an answer that decided: " + all);
      }
      deciding = known;
    }
    return known;
  }

  private boolean outweighs(Decision one, Decision other) {
    return allowed ? one.remaining() < other.remaining() : one.waitMicros() > other.waitMicros();
  }

  private boolean isShadow(int i) {
    return asked != null && asked[i].isShadow();
  }

  /** Whether all limits are shadows. */
  private boolean isWatched() {
    if (asked == null) {
      return false;
    }
    for (KeyedLimit one : asked) {
      if (!one.isShadow()) {
        return false;
      }
    }
    return true;
  }
}
