package dev.stint.promises;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.TimeSource;
import dev.stint.memory.MemoryStore;
import dev.stint.testkit.ManualTime;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** P11: the thread that forgets expired keys goes on after an {@link Error}. */
class SweeperErrorsTest {

  /** A clock that fails a number of times when the sweeper reads it. */
  private record FailingInSweeper(ManualTime time, AtomicInteger failures) implements TimeSource {

    @Override
    public long micros() {
      if (Thread.currentThread().getName().equals("stint-sweeper")) {
        int left = failures.getAndUpdate(n -> Math.max(0, n - 1));
        if (left > 0) {
          throw left % 2 == 0
              ? new StackOverflowError("injected")
              : new OutOfMemoryError("injected");
        }
      }
      return time.micros();
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

  @Test
  void expired_keys_are_forgotten_although_earlier_sweeps_died_of_errors()
      throws InterruptedException {
    ManualTime time = ManualTime.create();
    AtomicInteger failures = new AtomicInteger(10);
    try (MemoryStore store =
        MemoryStore.builder()
            .time(new FailingInSweeper(time, failures))
            .cleanPeriod(Duration.ofMillis(1))
            .build()) {
      RateLimiter limiter = RateLimiter.of(store, Limit.parse("5/second"));
      for (int i = 0; i < 1000; i++) {
        limiter.hit("key-" + i);
      }
      assertThat(store.keys()).isEqualTo(1000);
      time.advance(Duration.ofSeconds(10));
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
      while (store.keys() > 0 && System.nanoTime() < end) {
        Thread.sleep(1);
      }
      assertThat(failures).as("errors still to be thrown").hasValue(0);
      assertThat(store.keys()).isZero();
    }
  }
}
