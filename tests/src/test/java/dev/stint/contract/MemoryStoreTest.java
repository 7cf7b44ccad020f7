package dev.stint.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.Store;
import dev.stint.TimeSource;
import dev.stint.memory.MemoryStore;
import dev.stint.testkit.ManualTime;
import dev.stint.testkit.StoreContract;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The memory store holds the contract, and what only it can promise. */
class MemoryStoreTest extends StoreContract {

  @Override
  protected Store store(TimeSource time) {
    return MemoryStore.builder().time(time).cleanPeriod(Duration.ZERO).build();
  }

  @Test
  void clean_forgets_what_has_expired_and_tells_how_much_it_was() {
    ManualTime time = ManualTime.create();
    try (MemoryStore store = MemoryStore.builder().time(time).cleanPeriod(Duration.ZERO).build()) {
      RateLimiter limiter = RateLimiter.of(store);
      for (int i = 0; i < 1000; i++) {
        limiter.hit(Limit.parse("5/second").on("bucket" + i).cost(1 + i % 5));
        limiter.hit(Limit.parse("5/minute fixed-window-per-key").on("window" + i));
        limiter.hit(Limit.parse("5/minute sliding-log").on("log" + i));
        limiter.hit(Limit.parse("5/minute sliding-counter").on("counter" + i));
        limiter.hit(Limit.parse("5 total").on("quota" + i));
      }
      assertThat(store.keys()).isEqualTo(5000);
      time.advance(Duration.ofMillis(600));
      assertThat(limiter.clean()).isEqualTo(600);
      time.advance(Duration.ofMillis(400).minusNanos(1000));
      assertThat(limiter.clean()).isEqualTo(200);
      time.advance(Duration.ofMinutes(1));
      assertThat(limiter.clean()).isEqualTo(2200);
      time.advance(Duration.ofMinutes(1));
      assertThat(limiter.clean()).isEqualTo(1000);
      assertThat(limiter.clean()).isZero();
      assertThat(store.keys()).isEqualTo(1000);
      time.advance(Duration.ofDays(10_000));
      assertThat(limiter.clean()).isZero();
    }
  }

  @Test
  void windows_of_the_clock_follow_the_wall_clock_and_all_others_do_not() {
    ManualTime time = ManualTime.create();
    ManualTime wall = ManualTime.create();
    try (Store store = store(new TwoClocks(time, wall))) {
      RateLimiter limiter = RateLimiter.of(store);
      Limit aligned = Limit.fixedWindow(1, Duration.ofMinutes(1));
      Limit perKey = Limit.fixedWindowPerKey(1, Duration.ofMinutes(1));
      wall.advance(Duration.ofSeconds(50));
      assertThat(limiter.hit(aligned.on("a")).resetAfter()).isEqualTo(Duration.ofSeconds(10));
      assertThat(limiter.hit(perKey.on("a")).resetAfter()).isEqualTo(Duration.ofMinutes(1));
      wall.advance(Duration.ofSeconds(10));
      assertThat(limiter.hit(aligned.on("a")).allowed()).isTrue();
      assertThat(limiter.hit(perKey.on("a")).retryAfter()).isEqualTo(Duration.ofMinutes(1));
      time.advance(Duration.ofMinutes(1));
      assertThat(limiter.hit(aligned.on("a")).retryAfter()).isEqualTo(Duration.ofMinutes(1));
      assertThat(limiter.hit(aligned.on("b"), perKey.on("a")).allowed()).isTrue();
    }
  }

  /** A steady clock, and a wall clock that somebody adjusts. */
  private record TwoClocks(ManualTime time, ManualTime clock) implements TimeSource {

    @Override
    public long micros() {
      return time.micros();
    }

    @Override
    public long wall(long micros) {
      return clock.micros();
    }

    @Override
    public void sleep(long micros) throws InterruptedException {
      time.sleep(micros);
    }

    @Override
    public CompletableFuture<Void> delay(long micros) {
      return time.delay(micros);
    }
  }
}
