package dev.stint.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.Decision;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.lab.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What an application does with a future, however long it takes, delays no other call. */
@ExtendWith(QuietLettuce.class)
class BlockingContinuationsTest {

  private static final Limit LIMIT = Limit.parse("1000000/day fixed-window-per-key");
  private static final Duration SOON = Duration.ofSeconds(10);
  private static final Duration DEADLINE = Duration.ofMillis(250);
  private static final int BLOCKED = 20;

  /** Continuations that wait until they are let go. */
  private static final class Blocked implements AutoCloseable {

    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicInteger waiting = new AtomicInteger();
    private final List<CompletableFuture<?>> all = new ArrayList<>();

    void after(CompletableFuture<Decision> hit) {
      all.add(
          hit.thenAccept(
              decision -> {
                waiting.incrementAndGet();
                try {
                  end.await(20, TimeUnit.SECONDS);
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              }));
    }

    void await(int count) {
      Eventually.within(SOON, count + " blocked continuations", () -> waiting.get() >= count);
    }

    @Override
    public void close() {
      end.countDown();
      all.forEach(one -> one.orTimeout(5, TimeUnit.SECONDS).join());
    }
  }

  private static RedisStore store(String uri) {
    RedisStore store = RedisStore.builder(uri).deadline(DEADLINE).build();
    RateLimiter limiter = RateLimiter.of(store, LIMIT);
    for (int i = 0; i < 50; i++) {
      String key = "k" + i;
      Eventually.within(SOON, "an exact decision", () -> !limiter.hit(key).degraded());
    }
    return store;
  }

  private static void assertAnsweredInTime(RateLimiter limiter) {
    for (int i = 0; i < 50; i++) {
      Decision sync = limiter.hit("k" + i);
      Decision async =
          limiter.hitAsync("k" + i).toCompletableFuture().orTimeout(5, TimeUnit.SECONDS).join();
      assertThat(sync.reason()).isEmpty();
      assertThat(async.reason()).isEmpty();
    }
  }

  @Test
  @Tag("redis")
  void after_an_answer() {
    try (RedisStore store = store(Servers.redis().uri());
        Blocked blocked = new Blocked()) {
      RateLimiter limiter = RateLimiter.of(store, LIMIT);
      for (int i = 0; i < BLOCKED; i++) {
        blocked.after(limiter.hitAsync("k" + i).toCompletableFuture());
      }
      assertAnsweredInTime(limiter);
      blocked.await(1);
    }
  }

  @Test
  @Tag("cluster")
  void after_an_answer_of_a_cluster() {
    try (RedisStore store = store(Servers.cluster().uri());
        Blocked blocked = new Blocked()) {
      RateLimiter limiter = RateLimiter.of(store, LIMIT);
      for (int i = 0; i < BLOCKED; i++) {
        blocked.after(limiter.hitAsync("k" + i).toCompletableFuture());
        blocked.after(
            limiter.hitAsync(LIMIT.on("k" + i), LIMIT.on("other" + i)).toCompletableFuture());
      }
      assertAnsweredInTime(limiter);
      blocked.await(1);
    }
  }

  @Test
  @Tag("redis")
  void after_a_timeout() {
    try (RedisServer server = RedisServer.start();
        RedisStore store = store(server.uri());
        Blocked blocked = new Blocked()) {
      RateLimiter limiter = RateLimiter.of(store, LIMIT);
      server.stop();
      for (int i = 0; i < 5; i++) {
        blocked.after(limiter.hitAsync("k" + i).toCompletableFuture());
      }
      blocked.await(1);
      CompletableFuture<Decision> late = limiter.hitAsync("late").toCompletableFuture();
      assertThat(late.orTimeout(2, TimeUnit.SECONDS).join().degraded()).isTrue();
      server.cont();
      Eventually.within(SOON, "an exact decision", () -> !limiter.hit("k").degraded());
      assertAnsweredInTime(limiter);
    }
  }

  @Test
  @Tag("redis")
  void on_the_threads_of_an_executor_that_is_given() {
    ExecutorService own =
        Executors.newCachedThreadPool(task -> new Thread(task, "the application's"));
    try (RedisStore store = Servers.patientBuilder(Servers.redis().uri()).executor(own).build()) {
      RateLimiter limiter = RateLimiter.of(store, LIMIT);
      assertThat(whereItCompletes(limiter)).isEqualTo("the application's");
      assertThat(own.isShutdown()).isFalse();
    } finally {
      own.shutdown();
    }
  }

  @Test
  @Tag("redis")
  void on_threads_of_the_stores_own_if_none_is_given() {
    try (RedisStore store = store(Servers.redis().uri())) {
      RateLimiter limiter = RateLimiter.of(store, LIMIT);
      assertThat(whereItCompletes(limiter)).isEqualTo("stint-redis-completion");
    }
  }

  /** The thread of a continuation that was there before the answer was. */
  private static String whereItCompletes(RateLimiter limiter) {
    for (int i = 0; ; i++) {
      AtomicReference<String> where = new AtomicReference<>();
      CompletableFuture<Decision> hit = limiter.hitAsync("where").toCompletableFuture();
      CompletableFuture<Void> continued =
          hit.thenAccept(decision -> where.set(Thread.currentThread().getName()));
      continued.orTimeout(5, TimeUnit.SECONDS).join();
      boolean wasFirst = !Thread.currentThread().getName().equals(where.get());
      if (wasFirst || i == 1000) {
        return where.get();
      }
    }
  }

  @Test
  @Tag("redis")
  void an_executor_that_takes_nothing_loses_no_answer() {
    List<Executor> useless =
        List.of(
            task -> {
              throw new RejectedExecutionException("full");
            },
            task -> {
              throw new StackOverflowError("simulated");
            });
    for (Executor executor : useless) {
      try (RedisStore store =
          Servers.patientBuilder(Servers.redis().uri()).executor(executor).build()) {
        assertAnsweredInTime(RateLimiter.of(store, LIMIT));
      }
    }
    assertThatThrownBy(() -> RedisStore.builder("redis://localhost").executor(null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("executor must not be null");
  }

  @Test
  @Tag("redis")
  void that_call_the_store_and_wait() {
    try (RedisStore store = store(Servers.redis().uri())) {
      RateLimiter limiter = RateLimiter.of(store, LIMIT);
      List<CompletableFuture<Decision>> nested = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        String key = "nested" + i;
        nested.add(
            limiter
                .hitAsync(key)
                .toCompletableFuture()
                .thenApply(first -> limiter.hit(key))
                .thenApply(second -> limiter.hitAsync(key).toCompletableFuture().join()));
      }
      for (CompletableFuture<Decision> one : nested) {
        assertThat(one.orTimeout(10, TimeUnit.SECONDS).join().allowed()).isTrue();
      }
    }
  }

  @Test
  @Tag("redis")
  void after_a_refusal_by_the_breaker() {
    try (RedisServer server = RedisServer.start();
        RedisStore store = store(server.uri());
        Blocked blocked = new Blocked()) {
      RateLimiter limiter = RateLimiter.of(store, LIMIT);
      server.kill();
      Eventually.within(
          SOON,
          "an open breaker",
          () -> limiter.hit("k").degraded() && store.trouble().isPresent());
      Thread other =
          new Thread(() -> blocked.after(limiter.hitAsync("k").toCompletableFuture()), "other");
      other.start(); // such a future is done when it is returned, so its caller is the one to wait
      blocked.await(1);
      server.restart();
      Eventually.within(SOON, "an exact decision", () -> !limiter.hit("k").degraded());
      assertAnsweredInTime(limiter);
    }
  }
}
