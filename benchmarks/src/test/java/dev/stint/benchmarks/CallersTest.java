package dev.stint.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class CallersTest {

  private final LongAdder asked = new LongAdder();
  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();

  private RedisSubject subject(BooleanSupplier answer) {
    return new RedisSubject() {
      @Override
      public boolean hit(String key) {
        asked.increment();
        return answer.getAsBoolean();
      }

      @Override
      public CompletionStage<Boolean> hitAsync(String key) {
        most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
        return CompletableFuture.supplyAsync(
            () -> {
              underWay.decrementAndGet();
              return hit(key);
            });
      }

      @Override
      public CompletionStage<?> insert(String key) {
        return hitAsync(key);
      }

      @Override
      public CompletionStage<?> exhaust(String key) {
        return CompletableFuture.failedFuture(new IllegalStateException("no"));
      }

      @Override
      public void close() {}
    };
  }

  @Test
  void every_answer_is_counted_whether_waited_for_or_not() throws InterruptedException {
    for (RedisScenario scenario :
        new RedisScenario[] {RedisScenario.hot(8), RedisScenario.async(8)}) {
      asked.reset();
      Callers.Tally tally = Callers.ask(subject(() -> true), scenario, 20);
      assertThat(tally.asked()).isPositive().isEqualTo(asked.sum());
      assertThat(tally.nanos()).isGreaterThanOrEqualTo(20_000_000);
    }
  }

  @Test
  void no_more_are_under_way_than_the_scenario_says() throws InterruptedException {
    Callers.ask(subject(() -> true), RedisScenario.async(64), 50);
    assertThat(most.get()).isBetween(1, 64);
    assertThat(underWay.get()).isZero();
  }

  @Test
  void an_answer_that_is_not_the_scenarios_ends_the_run() {
    assertThatThrownBy(() -> Callers.ask(subject(() -> false), RedisScenario.hot(1), 10))
        .hasMessageStartingWith("ADMITTED must refuse a share from 0.0 to 0.001");
  }

  @Test
  void a_hit_that_fails_ends_the_run() {
    RedisSubject failing =
        subject(
            () -> {
              throw new IllegalStateException("degraded");
            });
    for (RedisScenario scenario :
        new RedisScenario[] {RedisScenario.hot(8), RedisScenario.async(8)}) {
      assertThatThrownBy(() -> Callers.ask(failing, scenario, 10_000))
          .hasMessage("every hit must be answered in " + scenario.id())
          .hasStackTraceContaining("degraded");
    }
  }

  @Test
  void preparing_reaches_every_key_and_fails_when_one_does() throws InterruptedException {
    Callers.prepare(subject(() -> true), RedisScenario.many(1));
    assertThat(asked.sum()).isEqualTo(10_000);
    assertThatThrownBy(() -> Callers.prepare(subject(() -> true), RedisScenario.refusals().get(0)))
        .hasMessage("every key must be prepared");
  }
}
