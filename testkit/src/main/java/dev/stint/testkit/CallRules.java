package dev.stint.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.Key;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.Store;
import dev.stint.algorithm.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** A store refuses calls that make no sense, whoever makes them: {@link Store#check} does it. */
interface CallRules {

  /** What the tests work with. */
  Bench bench();

  @Test
  default void a_store_refuses_units_that_are_not_positive() {
    Store store = bench().store;
    for (Limit limit : Bench.limitsAndQuota(5, Duration.ofMinutes(1))) {
      Key key = Key.of(Bench.freshKey());
      KeyedLimit none = limit.on(key).amount(0);
      for (Operation operation :
          List.of(Operation.HIT, Operation.INC, Operation.REFUND, Operation.UNDO)) {
        String what = operation == Operation.HIT ? "cost" : "n";
        String sentence = what + " must be at least 1: ";
        refuses(() -> store.run(operation, List.of(none)), sentence + 0);
        refuses(() -> store.run(operation, List.of(limit.on("other"), none)), sentence + 0);
        refuses(() -> store.runAsync(operation, List.of(none)), sentence + 0);
        refuses(() -> store.run(operation, limit, key, 0), sentence + 0);
        refuses(() -> store.run(operation, limit, key, -5), sentence + -5);
      }
      refuses(() -> store.ask(Operation.HIT, limit, key, 0), "cost must be at least 1: 0");
      refuses(() -> store.ask(Operation.HIT, limit, key, -5), "cost must be at least 1: -5");
      refuses(() -> store.ask(Operation.PEEK, limit, key, -5), "n must be at least 0: -5");
      refuses(() -> store.run(Operation.SET, limit, key, -5), "n must be at least 0: -5");
      refuses(() -> limit.on(key).amount(-5), "n must be at least 0: -5");
      assertThat(bench().limiter.expiresAt(limit.on(key))).as(limit.toString()).isEmpty();
    }
  }

  @Test
  default void a_store_takes_a_set_to_nothing_and_a_peek_at_nothing() {
    Limit limit = Limit.fixedWindowPerKey(5, Duration.ofMinutes(1));
    KeyedLimit none = limit.on(Bench.freshKey()).amount(0);
    bench().limiter.inc(none.amount(5));
    assertThat(bench().store.run(Operation.PEEK, List.of(none)).allowed()).isTrue();
    bench().limiter.inc(none.amount(1));
    assertThat(bench().store.run(Operation.PEEK, List.of(none)).allowed()).isFalse();
    assertThat(bench().store.run(Operation.SET, List.of(none)).used()).isZero();
  }

  @Test
  @Timeout(value = 30, unit = TimeUnit.SECONDS, threadMode = ThreadMode.SEPARATE_THREAD)
  default void a_store_refuses_one_limit_and_key_named_twice() {
    Store store = bench().store;
    Limit five = Limit.fixedWindow(5, Duration.ofMinutes(1));
    String key = Bench.freshKey();
    KeyedLimit once = five.on(key);
    KeyedLimit again = Limit.fixedWindow(9, Duration.ofMinutes(1)).on(key).cost(2);
    String sentence =
        "limits of one call must differ in algorithm, window, name or key: 9/minute fixed-window on"
            + " \""
            + key
            + "\" is there twice; give it its whole cost once";
    List<KeyedLimit> many = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      many.add(five.on(Bench.freshKey()));
    }
    many.add(once);
    many.add(again);
    for (Operation operation : Operation.values()) {
      refuses(() -> store.run(operation, List.of(once, again)), sentence);
      refuses(() -> store.run(operation, List.of(once, five.on("other"), again)), sentence);
      refuses(() -> store.run(operation, many), sentence);
      refuses(() -> store.runAsync(operation, List.of(once, again)), sentence);
    }
    assertThat(bench().limiter.get(once)).isZero();
  }

  @SuppressWarnings("NullAway") // what is refused is exactly that
  @Test
  default void a_store_refuses_what_is_missing() {
    Store store = bench().store;
    Limit limit = Limit.tokenBucket(5, Duration.ofMinutes(1));
    KeyedLimit one = limit.on(Bench.freshKey());
    String noKey = "key must not be null or empty: null";
    for (Operation operation : Operation.values()) {
      refuses(() -> store.run(operation, List.of()), "a call must have at least one limit: 0");
      refuses(() -> store.runAsync(operation, List.of()), "a call must have at least one limit: 0");
      refuses(() -> store.run(operation, null), "limits must not be null");
      refuses(() -> store.runAsync(operation, null), "limits must not be null");
      refuses(() -> store.run(operation, Arrays.asList(one, null)), "limit must not be null");
      refuses(() -> store.run(operation, limit, null, 1), noKey);
      refuses(() -> store.run(operation, null, one.key(), 1), "limit must not be null");
    }
    refuses(() -> store.ask(Operation.HIT, limit, null, 1), noKey);
    refuses(() -> store.ask(Operation.HIT, null, one.key(), 1), "limit must not be null");
    refuses(() -> store.run(null, List.of(one)), "operation must not be null");
  }

  private static void refuses(ThrowingCallable call, String sentence) {
    assertThatThrownBy(call)
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage(sentence);
  }
}
