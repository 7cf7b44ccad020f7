package dev.stint.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ManualTimeTest {

  private final ManualTime time = ManualTime.create();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void endThreads() {
    threads.shutdownNow();
  }

  @Test
  void stands_still_until_it_is_moved() {
    ManualTime at = ManualTime.at(Instant.parse("2030-05-06T07:08:09.000010Z"));
    assertThat(at.now()).isEqualTo(Instant.parse("2030-05-06T07:08:09.000010Z"));
    assertThat(at.micros()).isEqualTo(1_904_281_689_000_010L);
    at.advance(Duration.ofSeconds(1));
    at.advanceMicros(5);
    assertThat(at.now()).isEqualTo(Instant.parse("2030-05-06T07:08:10.000015Z"));
    assertThat(at).hasToString("ManualTime at 2030-05-06T07:08:10.000015Z");
  }

  @Test
  void can_be_set_ahead_and_back() {
    time.set(Instant.ofEpochSecond(100));
    assertThat(time.micros()).isEqualTo(100_000_000);
    time.setMicros(7);
    assertThat(time.now()).isEqualTo(Instant.EPOCH.plusNanos(7000));
  }

  @Test
  void does_not_advance_backwards_or_by_less_than_a_microsecond() {
    assertThatThrownBy(() -> time.advanceMicros(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("time must advance by 0 microseconds or more: -1; to step back, use set");
    assertThatThrownBy(() -> time.advance(Duration.ofNanos(1500)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("time must advance by whole microseconds: PT0.0000015S");
  }

  @Test
  void a_sleeping_thread_goes_on_when_enough_time_has_passed() throws Exception {
    Future<?> sleeper = sleeper(1000);
    time.awaitSleepers(1);
    time.advanceMicros(999);
    assertThat(time.sleepers()).isEqualTo(1);
    time.advanceMicros(1);
    assertThat(time.sleepers()).isZero();
    sleeper.get(1, TimeUnit.MINUTES);
  }

  @Test
  void who_sleeps_no_time_at_all_does_not_wait() throws Exception {
    time.sleep(0);
    time.sleep(-5);
    assertThat(time.delay(0)).isCompleted();
    assertThat(time.sleepers()).isZero();
  }

  @Test
  void a_clock_set_back_lets_sleepers_sleep_longer() throws Exception {
    Future<?> sleeper = sleeper(1000);
    time.awaitSleepers(1);
    time.set(time.now().minusSeconds(1));
    time.advance(Duration.ofSeconds(1));
    assertThat(time.sleepers()).isEqualTo(1);
    time.advanceMicros(1000);
    sleeper.get(1, TimeUnit.MINUTES);
  }

  @Test
  void an_interrupted_sleeper_wakes() throws Exception {
    Future<?> sleeper = sleeper(1000);
    time.awaitSleepers(1);
    sleeper.cancel(true);
    time.awaitNoSleepers();
    assertThat(sleeper).isCancelled();
  }

  @Test
  void many_sleep_at_once_and_wake_each_in_its_time() throws Exception {
    List<Future<?>> sleepers = new ArrayList<>();
    for (int i = 1; i <= 10; i++) {
      sleepers.add(sleeper(i));
    }
    for (int i = 10; i >= 1; i--) {
      time.awaitSleepers(i);
      assertThat(time.sleepers()).isEqualTo(i);
      time.advanceMicros(1);
    }
    for (Future<?> sleeper : sleepers) {
      sleeper.get(1, TimeUnit.MINUTES);
    }
  }

  @Test
  void futures_complete_in_order_each_at_its_own_moment() {
    long begin = time.micros();
    List<Long> moments = new ArrayList<>();
    CompletableFuture<Void> late = time.delay(20).thenRun(() -> moments.add(time.micros() - begin));
    CompletableFuture<Void> twice =
        time.delay(10)
            .thenCompose(
                ten -> {
                  moments.add(time.micros() - begin);
                  return time.delay(5);
                })
            .thenRun(() -> moments.add(time.micros() - begin));
    time.advanceMicros(100);
    assertThat(late).isCompleted();
    assertThat(twice).isCompleted();
    assertThat(moments).containsExactly(10L, 15L, 20L);
    assertThat(time.micros() - begin).isEqualTo(100);
  }

  @Test
  void a_cancelled_future_waits_for_nothing() {
    CompletableFuture<Void> delay = time.delay(10);
    assertThat(time.sleepers()).isEqualTo(1);
    delay.cancel(false);
    assertThat(time.sleepers()).isZero();
  }

  @Test
  void threads_that_advance_it_together_advance_it_by_the_sum() throws Exception {
    long begin = time.micros();
    Queue<CompletableFuture<Void>> delays = new ConcurrentLinkedQueue<>();
    List<Future<?>> movers = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      movers.add(
          threads.submit(
              () -> {
                for (int n = 0; n < 1000; n++) {
                  delays.add(time.delay(1 + n % 3));
                  time.advanceMicros(2);
                }
              }));
    }
    for (Future<?> mover : movers) {
      mover.get(1, TimeUnit.MINUTES);
    }
    assertThat(time.micros() - begin).isEqualTo(16_000);
    time.advanceMicros(1);
    assertThat(delays).hasSize(8000).allMatch(CompletableFuture::isDone);
  }

  @Test
  void a_clock_that_advances_itself_moves_with_whoever_sleeps() throws Exception {
    ManualTime own = ManualTime.selfAdvancing();
    long begin = own.micros();
    own.sleep(30);
    own.sleep(-1);
    assertThat(own.delay(12)).isCompleted();
    assertThat(own.micros() - begin).isEqualTo(42);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> own.sleep(1)).isInstanceOf(InterruptedException.class);
    assertThat(own.micros() - begin).isEqualTo(42);
  }

  private Future<?> sleeper(long micros) {
    return threads.submit(
        () -> {
          time.sleep(micros);
          return null;
        });
  }
}
