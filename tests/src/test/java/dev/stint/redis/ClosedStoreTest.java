package dev.stint.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.Store;
import dev.stint.StoreException;
import dev.stint.algorithm.Operation;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A closed store says that it is closed, whatever it is asked. */
@ExtendWith(QuietLettuce.class)
class ClosedStoreTest {

  private static final String CLOSED = "this store is closed";
  private static final Limit BUCKET = Limit.parse("1000/minute");

  private static void assertClosed(Store store) {
    for (Operation operation : Operation.values()) {
      List<KeyedLimit> one = List.of(BUCKET.on("k"));
      List<KeyedLimit> several = List.of(BUCKET.on("k"), BUCKET.on("l"), BUCKET.on("m"));
      for (List<KeyedLimit> limits : List.of(one, several)) {
        assertThatThrownBy(() -> store.run(operation, limits))
            .as(operation.name())
            .isInstanceOf(StoreException.class)
            .hasMessage(CLOSED);
        CompletableFuture<?> later = store.runAsync(operation, limits).toCompletableFuture();
        assertThat(later).isCompletedExceptionally();
        assertThatThrownBy(later::join)
            .hasCauseInstanceOf(StoreException.class)
            .hasRootCauseMessage(CLOSED);
      }
    }
    RateLimiter limiter = RateLimiter.of(store, BUCKET);
    assertThat(limiter.hit("k").reason()).hasValue(CLOSED);
    assertThat(limiter.hitAsync("k").toCompletableFuture().join().reason()).hasValue(CLOSED);
    assertThat(store.trouble()).hasValue(CLOSED);
    assertThat(store.clean()).isZero();
    assertThat(store.time().micros()).isPositive();
  }

  @Test
  @Tag("redis")
  void of_one_server() {
    closed(Servers.redis().uri());
  }

  @Test
  @Tag("cluster")
  void of_a_cluster() {
    closed(Servers.cluster().uri());
  }

  private static void closed(String uri) {
    RedisStore store =
        RedisStore.builder(uri)
            .rememberRefusals(Duration.ofMillis(100))
            .connectTimeout(Duration.ofSeconds(20))
            .build();
    Store leasing = store.leasing(10);
    RateLimiter limiter = RateLimiter.of(leasing, BUCKET);
    for (int i = 0; i < 100; i++) {
      limiter.hit("k");
    }
    store.close();
    Set<Thread> threads = threads();
    assertClosed(store);
    assertClosed(leasing);
    assertThatThrownBy(() -> store.leasing(20))
        .isInstanceOf(StoreException.class)
        .hasMessage(CLOSED);
    assertThat(threads).containsAll(threads());
  }

  /** The threads of stores. Those of callers that wait for their turn belong to no store. */
  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("stint") || isLettuce(thread))
        .filter(thread -> !thread.getName().startsWith("stint-wait"))
        .collect(Collectors.toSet());
  }

  private static boolean isLettuce(Thread thread) {
    return thread.getName().startsWith("lettuce");
  }
}
