package dev.stint.promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** P11: callers at the very end of their stack overflow it inside the store, and block nothing. */
class EndOfStackTest {

  private static final int DIVES = 400;
  private static final int FRAMES_FROM_THE_END = 150;
  private static final Duration HOUR = Duration.ofHours(1);

  private static final List<KeyedLimit> PLACES =
      List.of(
          Limit.slidingLog(1_000_000, HOUR).on("log"),
          Limit.tokenBucket(1_000_000_007, HOUR).on("wide bucket"),
          Limit.fixedWindowPerKey(1L << 40, HOUR).on("wide window"),
          Limit.quota(1L << 40).on("quota"));

  private static final KeyedLimit[] ALL = PLACES.toArray(KeyedLimit[]::new);

  private final MemoryStore store =
      MemoryStore.builder().maxKeys(100_000).cleanPeriod(Duration.ZERO).build();
  private final RateLimiter limiter = RateLimiter.of(store);
  private long calls;
  private long overflows;
  private int fromTheEnd;

  @Test
  void calls_at_the_end_of_the_stack_leave_no_row_held() throws InterruptedException {
    Thread diver =
        new Thread(
            null,
            () -> {
              for (int i = 0; i < DIVES; i++) {
                fromTheEnd = FRAMES_FROM_THE_END;
                dive(i % 7);
              }
            },
            "diver",
            256 * 1024);
    diver.setDaemon(true);
    diver.start();
    diver.join(TimeUnit.MINUTES.toMillis(2));
    assertThat(diver.isAlive()).as("a call waits for a row that is never released").isFalse();
    System.out.printf("End of the stack: %,d of %,d calls overflowed it%n", overflows, calls);
    assertThat(overflows).as("calls that overflowed the stack").isGreaterThan(1000);
    assertThat(calls - overflows).as("calls that did not").isGreaterThan(1000);
    assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () -> {
          limiter.hit(ALL);
          PLACES.forEach(limiter::hit);
          for (int i = 0; i < 10_000; i++) {
            limiter.hit(Limit.tokenBucket(5, HOUR).on(-i));
          }
        },
        "another caller must not wait");
  }

  /** Goes down to the end of the stack; frames of different sizes end at different places. */
  private void dive(int size) {
    try {
      if (size % 2 == 0) {
        dive(size);
      } else {
        dive(size, 1, 2, 3, 4);
      }
    } catch (StackOverflowError e) {
      // The end. Calls are made on the way up.
    }
    if (fromTheEnd-- > 0) {
      call();
    }
  }

  private long dive(int size, long a, long b, long c, long d) {
    dive(size);
    return a + b + c + d + size;
  }

  private void call() {
    calls++;
    try {
      switch ((int) (calls % 4)) {
        case 0 -> limiter.hit(PLACES.get((int) (calls / 4 % PLACES.size())));
        case 1 -> limiter.hit(ALL);
        case 2 -> limiter.hit(Limit.slidingLog(5, HOUR).on(calls));
        default -> limiter.hit(PLACES.get(0), Limit.slidingCounter(5, HOUR).on(calls));
      }
    } catch (StackOverflowError e) {
      overflows++;
    }
  }
}
