package dev.stint.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.TimeSource;
import dev.stint.testkit.ManualTime;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A call that dies of an {@link Error} while it holds a row gives its seat back. */
class SeatsTest {

  private static final int SEATS = 256;

  /** A clock whose second reading fails, which is taken while the row is held. */
  private static final class FailingTime implements TimeSource {
    private final ManualTime time = ManualTime.create();
    private int readings;
    private boolean failing;

    @Override
    public long micros() {
      if (failing && ++readings % 2 == 0) {
        throw new OutOfMemoryError("injected");
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
  void all_are_free_after_more_errors_than_there_are_seats() throws Exception {
    FailingTime time = new FailingTime();
    MemoryStore store = MemoryStore.builder().time(time).cleanPeriod(Duration.ZERO).build();
    RateLimiter limiter = RateLimiter.of(store);
    KeyedLimit place = Limit.slidingLog(10, Duration.ofMinutes(1)).on("k");
    limiter.hit(place);
    time.failing = true;
    for (int i = 0; i < 2 * SEATS; i++) {
      assertThatThrownBy(() -> limiter.inc(place)).isInstanceOf(OutOfMemoryError.class);
    }
    time.failing = false;
    assertThat(limiter.get(place)).isEqualTo(1);
    assertThat(freeSeats(store)).isEqualTo(SEATS);
  }

  /** How many of the first seats can be taken. */
  private static int freeSeats(MemoryStore store) throws ReflectiveOperationException {
    Field field = MemoryStore.class.getDeclaredField("seats");
    field.setAccessible(true);
    Seats seats = (Seats) field.get(store);
    Set<Integer> free = new HashSet<>();
    for (int place = seats.take(); place < SEATS; place = seats.take()) {
      free.add(place);
    }
    return free.size();
  }
}
