package dev.stint.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.Decision;
import dev.stint.Key;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.Store;
import dev.stint.algorithm.Operation;
import dev.stint.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Every bad argument of a limiter or a store is refused with a sentence that says what must be. */
class BadArgumentsTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Limit FIVE = Limit.fixedWindow(5, MINUTE);

  private final MemoryStore store = MemoryStore.create();
  private final RateLimiter limiter = RateLimiter.of(store, FIVE);

  @AfterEach
  void nothing_was_stored() {
    assertThat(store.keys()).isZero();
    store.close();
  }

  private static void refuses(ThrowingCallable call, String sentence) {
    assertThatThrownBy(call)
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage(sentence);
  }

  @Test
  void a_limiter_needs_limits_or_a_store() {
    refuses(
        () -> RateLimiter.of(),
        "a limiter with a store of its own must have at least one limit: 0");
    refuses(() -> RateLimiter.of((Store) null, FIVE), "store must not be null");
    refuses(() -> RateLimiter.of(store, FIVE, null), "limit must not be null");
    refuses(() -> RateLimiter.of((Limit) null), "limit must not be null");
  }

  @Test
  void a_limiters_limits_count_in_different_places() {
    refuses(
        () -> RateLimiter.of(FIVE, Limit.fixedWindow(9, MINUTE)),
        "limits must differ in algorithm, window or name: 9/minute fixed-window counts in the same"
            + " place as another; give it a name");
  }

  @Test
  void a_limiter_without_limits_must_be_given_some() {
    RateLimiter bare = RateLimiter.of(store);
    String sentence =
        "this limiter has no limits of its own: give them to RateLimiter.of, or in the call with"
            + " limit.on(key)";
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> bare.hit("k"),
            () -> bare.hit("k", 2),
            () -> bare.peek("k"),
            () -> bare.inc("k", 1),
            () -> bare.refund("k", 1),
            () -> bare.set("k", 1),
            () -> bare.get("k"),
            () -> bare.expiresAt("k"),
            () -> bare.reset("k"),
            () -> bare.acquire("k", MINUTE),
            () -> bare.hitAsync("k"),
            () -> bare.acquireAsync("k", MINUTE))) {
      refuses(call, sentence);
    }
  }

  @Test
  void a_key_is_neither_null_nor_empty() {
    for (String key : new String[] {null, ""}) {
      String sentence = "key must not be null or empty: " + (key == null ? "null" : "\"\"");
      for (ThrowingCallable call :
          List.<ThrowingCallable>of(
              () -> limiter.hit(key),
              () -> limiter.hit(key, 1),
              () -> limiter.peek(key),
              () -> limiter.peek(key, 1),
              () -> limiter.inc(key, 1),
              () -> limiter.refund(key, 1),
              () -> limiter.set(key, 1),
              () -> limiter.get(key),
              () -> limiter.expiresAt(key),
              () -> limiter.reset(key),
              () -> limiter.acquire(key, MINUTE),
              () -> limiter.acquire(key, 1, MINUTE),
              () -> limiter.hitAsync(key),
              () -> limiter.hitAsync(key, 1),
              () -> limiter.peekAsync(key),
              () -> limiter.peekAsync(key, 1),
              () -> limiter.incAsync(key, 1),
              () -> limiter.refundAsync(key, 1),
              () -> limiter.setAsync(key, 1),
              () -> limiter.getAsync(key),
              () -> limiter.expiresAtAsync(key),
              () -> limiter.resetAsync(key),
              () -> limiter.acquireAsync(key, MINUTE),
              () -> limiter.acquireAsync(key, 1, MINUTE),
              () -> FIVE.on(key),
              () -> Key.of(key))) {
        refuses(call, sentence);
      }
    }
    Key none = null;
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> limiter.hit(none),
            () -> limiter.hit(none, 1),
            () -> limiter.peek(none),
            () -> limiter.peek(none, 1),
            () -> limiter.acquire(none, MINUTE),
            () -> limiter.acquire(none, 1, MINUTE),
            () -> limiter.inc(none, 1),
            () -> limiter.charge(none, 1),
            () -> limiter.refund(none, 1),
            () -> limiter.set(none, 1),
            () -> limiter.get(none),
            () -> limiter.usage(none),
            () -> limiter.expiresAt(none),
            () -> limiter.reset(none),
            () -> limiter.hitAsync(none),
            () -> limiter.hitAsync(none, 1),
            () -> limiter.peekAsync(none),
            () -> limiter.peekAsync(none, 1),
            () -> limiter.acquireAsync(none, MINUTE),
            () -> limiter.acquireAsync(none, 1, MINUTE),
            () -> limiter.incAsync(none, 1),
            () -> limiter.chargeAsync(none, 1),
            () -> limiter.refundAsync(none, 1),
            () -> limiter.setAsync(none, 1),
            () -> limiter.getAsync(none),
            () -> limiter.usageAsync(none),
            () -> limiter.expiresAtAsync(none),
            () -> limiter.resetAsync(none))) {
      refuses(call, "key must not be null or empty: null");
    }
    refuses(() -> Key.of((byte[]) null), "key must not be null or empty: null");
    refuses(() -> Key.of(new byte[0]), "key must not be null or empty: \"\"");
    refuses(() -> FIVE.on(new byte[0]), "key must not be null or empty: \"\"");
    refuses(() -> FIVE.on((Key) null), "key must not be null or empty: null");
  }

  @Test
  void a_cost_is_at_least_one() {
    for (long cost : new long[] {0, -1, Long.MIN_VALUE}) {
      for (ThrowingCallable call :
          List.<ThrowingCallable>of(
              () -> limiter.hit("k", cost),
              () -> limiter.peek("k", cost),
              () -> limiter.acquire("k", cost, MINUTE),
              () -> limiter.hitAsync("k", cost),
              () -> limiter.peekAsync("k", cost),
              () -> limiter.acquireAsync("k", cost, MINUTE),
              () -> FIVE.on("k").cost(cost))) {
        refuses(call, "cost must be at least 1: " + cost);
      }
      for (ThrowingCallable call :
          List.<ThrowingCallable>of(
              () -> limiter.inc("k", cost),
              () -> limiter.refund("k", cost),
              () -> limiter.incAsync("k", cost),
              () -> limiter.refundAsync("k", cost))) {
        refuses(call, "n must be at least 1: " + cost);
      }
    }
  }

  @Test
  void units_of_nothing_are_for_a_store_to_set_and_not_to_ask_for() {
    KeyedLimit none = FIVE.on("k").amount(0);
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> limiter.hit(none),
            () -> limiter.hit(FIVE.on("other"), none),
            () -> limiter.peek(none),
            () -> limiter.acquire(MINUTE, none),
            () -> limiter.hitAsync(none),
            () -> limiter.peekAsync(none),
            () -> limiter.acquireAsync(MINUTE, none))) {
      refuses(call, "cost must be at least 1: 0");
    }
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> limiter.inc(none),
            () -> limiter.charge(none),
            () -> limiter.refund(none),
            () -> limiter.incAsync(none),
            () -> limiter.chargeAsync(none),
            () -> limiter.refundAsync(none))) {
      refuses(call, "n must be at least 1: 0");
    }
    refuses(() -> FIVE.on("k").amount(-5), "n must be at least 0: -5");
  }

  @Test
  void stores_made_of_others_refuse_what_those_would() {
    for (Store one :
        List.of(
            Store.admitting(),
            Store.denying(),
            store.orElse(Store.admitting()),
            store.share(2),
            store.share(2).orElse(store))) {
      KeyedLimit none = FIVE.on("k").amount(0);
      List<KeyedLimit> twice = List.of(FIVE.on("k"), FIVE.on("k"));
      String isTwice =
          "limits of one call must differ in algorithm, window, name or key: 5/minute fixed-window"
              + " on \"k\" is there twice; give it its whole cost once";
      refuses(() -> one.run(Operation.HIT, List.of(none)), "cost must be at least 1: 0");
      refuses(() -> one.run(Operation.HIT, FIVE, Key.of("k"), -5), "cost must be at least 1: -5");
      refuses(() -> one.ask(Operation.HIT, FIVE, Key.of("k"), -5), "cost must be at least 1: -5");
      refuses(() -> one.runAsync(Operation.INC, List.of(none)), "n must be at least 1: 0");
      refuses(() -> one.run(Operation.HIT, twice), isTwice);
      refuses(() -> one.runAsync(Operation.RESET, twice), isTwice);
      refuses(() -> one.run(Operation.HIT, List.of()), "a call must have at least one limit: 0");
      refuses(() -> one.run(Operation.HIT, null), "limits must not be null");
      refuses(() -> one.run(Operation.HIT, FIVE, null, 1), "key must not be null or empty: null");
      refuses(() -> one.ask(Operation.HIT, null, Key.of("k"), 1), "limit must not be null");
    }
  }

  @Test
  void several_limits_on_one_key_are_checked_by_every_store() {
    Limit other = FIVE.named("other");
    List<Limit> two = List.of(FIVE, other);
    for (Store one :
        List.of(store, Store.admitting(), store.orElse(Store.admitting()), store.share(2))) {
      refuses(() -> one.askAll(Operation.HIT, two, Key.of("k"), 0), "cost must be at least 1: 0");
      refuses(
          () -> one.askAll(Operation.HIT, List.of(FIVE, other, FIVE), Key.of("k"), 1),
          "limits of one call must differ in algorithm, window, name or key: 5/minute fixed-window"
              + " on \"k\" is there twice; give it its whole cost once");
      refuses(
          () -> one.askAll(Operation.PEEK, two, null, 1), "key must not be null or empty: null");
    }
  }

  @Test
  void a_count_is_set_to_nothing_or_more() {
    KeyedLimit one = FIVE.on("k");
    for (long n : new long[] {-1, Long.MIN_VALUE}) {
      refuses(() -> limiter.set("k", n), "n must be at least 0: " + n);
      refuses(() -> limiter.set(one, n), "n must be at least 0: " + n);
      refuses(() -> limiter.setAsync("k", n), "n must be at least 0: " + n);
      refuses(() -> limiter.setAsync(one, n), "n must be at least 0: " + n);
    }
  }

  @Test
  void a_call_has_limits() {
    KeyedLimit[] none = {};
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> limiter.hit(none),
            () -> limiter.peek(none),
            () -> limiter.reset(none),
            () -> limiter.acquire(MINUTE, none),
            () -> limiter.hitAsync(none),
            () -> limiter.peekAsync(none),
            () -> limiter.resetAsync(none),
            () -> limiter.acquireAsync(MINUTE, none))) {
      refuses(call, "a call must have at least one limit: 0");
    }
    KeyedLimit[] missing = null;
    refuses(() -> limiter.hit(missing), "limits must not be null");
    refuses(() -> limiter.acquireAsync(MINUTE, missing), "limits must not be null");
    refuses(() -> RateLimiter.of((Limit[]) null), "limits must not be null");
    refuses(() -> RateLimiter.of(store, (Limit[]) null), "limits must not be null");
    refuses(() -> limiter.completingOn(null), "executor must not be null");
  }

  @Test
  void no_limit_of_a_call_is_null() {
    KeyedLimit one = FIVE.on("k");
    KeyedLimit none = null;
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> limiter.hit(none),
            () -> limiter.hit(one, none),
            () -> limiter.peek(none),
            () -> limiter.inc(none),
            () -> limiter.refund(none),
            () -> limiter.set(none, 1),
            () -> limiter.get(none),
            () -> limiter.expiresAt(none),
            () -> limiter.reset(none, one),
            () -> limiter.acquire(MINUTE, one, none),
            () -> limiter.hitAsync(one, none),
            () -> limiter.incAsync(none),
            () -> limiter.refundAsync(none),
            () -> limiter.setAsync(none, 1),
            () -> limiter.getAsync(none))) {
      refuses(call, "limit must not be null");
    }
  }

  @Test
  void a_decision_to_refund_is_not_null() {
    refuses(() -> limiter.refund((Decision) null), "decision must not be null");
    refuses(() -> limiter.refundAsync((Decision) null), "decision must not be null");
  }

  @Test
  void no_limit_is_twice_in_a_call() {
    KeyedLimit once = FIVE.on("k").cost(2);
    KeyedLimit again = Limit.fixedWindow(9, MINUTE).on("k");
    String sentence =
        "limits of one call must differ in algorithm, window, name or key: 9/minute fixed-window on"
            + " \"k\" is there twice; give it its whole cost once";
    refuses(() -> limiter.hit(once, again), sentence);
    refuses(() -> limiter.peek(once, again), sentence);
    refuses(() -> limiter.reset(once, again), sentence);
    refuses(() -> limiter.hitAsync(once, FIVE.on("other"), again), sentence);
    refuses(() -> limiter.acquire(MINUTE, once, again), sentence);
  }

  @Test
  void a_timeout_is_zero_or_longer() {
    for (Duration timeout : new Duration[] {null, Duration.ofNanos(-1), Duration.ofDays(-1)}) {
      String sentence = "timeout must be zero or longer: " + timeout;
      refuses(() -> limiter.acquire("k", timeout), sentence);
      refuses(() -> limiter.acquire("k", 1, timeout), sentence);
      refuses(() -> limiter.acquire(timeout, FIVE.on("k")), sentence);
      refuses(() -> limiter.acquireAsync("k", timeout), sentence);
      refuses(() -> limiter.acquireAsync("k", 1, timeout), sentence);
      refuses(() -> limiter.acquireAsync(timeout, FIVE.on("k")), sentence);
    }
  }

  @Test
  void a_tag_is_neither_null_nor_empty() {
    refuses(() -> FIVE.on("k").in(null), "tag must not be null or empty: null");
    refuses(() -> FIVE.on("k").in(""), "tag must not be null or empty: \"\"");
  }

  @Test
  void the_settings_of_a_memory_store_are_within_bounds() {
    MemoryStore.Builder builder = MemoryStore.builder();
    for (long keys : new long[] {0, -1, (1L << 30) + 1}) {
      refuses(() -> builder.maxKeys(keys), "maxKeys must be from 1 to 1073741824: " + keys);
    }
    refuses(() -> builder.logBudget(0), "logBudget must be at least 1: 0");
    refuses(() -> builder.logBudget(-7), "logBudget must be at least 1: -7");
    refuses(
        () -> builder.cleanPeriod(Duration.ofNanos(-1)),
        "cleanPeriod must be zero or longer: PT-0.000000001S");
    refuses(() -> builder.cleanPeriod(null), "cleanPeriod must not be null");
    refuses(() -> builder.overflow(null), "overflow must not be null");
    refuses(() -> builder.time(null), "time must not be null");
  }
}
