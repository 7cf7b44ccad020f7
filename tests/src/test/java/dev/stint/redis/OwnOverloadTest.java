package dev.stint.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.lab.RedisServer;
import dev.stint.promises.Stalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Calls that ask more of Redis than it can do are late themselves; calls of other threads are not,
 * and a healthy Redis is not given up.
 */
@Tag("redis")
@ExtendWith(QuietLettuce.class)
class OwnOverloadTest {

  private static final Limit LIMIT = Limit.parse("1000000/hour");
  private static final Duration LASTS = Duration.ofSeconds(4);

  /** Long enough for a busy machine, and far shorter than what the greedy threads ask for takes. */
  private static final Duration DEADLINE = Duration.ofSeconds(1);

  @Test
  void of_the_largest_joint_calls() {
    overload("joint calls of 1,000 limits", 100, 1000);
  }

  @Test
  void of_bursts() {
    overload("single hits", 20_000, 1);
  }

  @Test
  void of_bursts_of_middling_joint_calls() {
    overload("joint calls of 100 limits", 1000, 100);
  }

  /** Then no small call says anything about the server; a probe does. */
  @Test
  void by_large_calls_alone_does_not_hide_that_a_server_is_frozen() {
    try (RedisServer server = RedisServer.start();
        RedisStore store = RedisStore.connect(server.uri())) {
      RateLimiter limiter = RateLimiter.of(store, LIMIT);
      Runnable burst = greedy(limiter, 0, 3, 1000);
      Eventually.within(
          Duration.ofSeconds(10), "an exact decision", () -> !limiter.hit("small").degraded());
      burst.run();
      assertThat(store.trouble()).isEmpty();
      server.stop();
      Duration took =
          Eventually.within(
              Duration.ofSeconds(2),
              "giving the server up",
              () -> {
                burst.run();
                return store.trouble().isPresent();
              });
      System.out.printf("a frozen server given up after %d ms%n", took.toMillis());
      server.cont();
      Eventually.within(
          Duration.ofSeconds(10), "an exact decision", () -> !limiter.hit("small").degraded());
    }
  }

  /** All calls of a burst, and then the next as soon as they have been answered. */
  private static Runnable greedy(RateLimiter limiter, int thread, int calls, int limits) {
    KeyedLimit[][] burst = new KeyedLimit[calls][];
    for (int n = 0; n < calls; n++) {
      String name = "greedy" + thread + "-" + n + "-";
      burst[n] =
          IntStream.range(0, limits).mapToObj(i -> LIMIT.on(name + i)).toArray(KeyedLimit[]::new);
    }
    return () -> {
      List<CompletableFuture<?>> answers = new ArrayList<>();
      for (KeyedLimit[] one : burst) {
        answers.add(limiter.hitAsync(one).toCompletableFuture());
      }
      CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new)).join();
    };
  }

  private static void overload(String name, int calls, int limits) {
    try (RedisServer server = RedisServer.start();
        RedisStore store = RedisStore.builder(server.uri()).deadline(DEADLINE).build()) {
      RateLimiter limiter = RateLimiter.of(store, LIMIT);
      Eventually.within(
          Duration.ofSeconds(10), "an exact decision", () -> !limiter.hit("small").degraded());
      AtomicBoolean over = new AtomicBoolean();
      AtomicInteger rounds = new AtomicInteger();
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        Runnable burst = greedy(limiter, i, calls, limits);
        threads.add(
            new Thread(
                () -> {
                  while (!over.get()) {
                    burst.run();
                    rounds.incrementAndGet();
                  }
                },
                "greedy " + i));
      }
      threads.forEach(Thread::start);
      Eventually.pass(Duration.ofSeconds(1)); // for the compiler
      Stalls stalls = Stalls.watch();
      AtomicInteger opened = new AtomicInteger();
      Load small =
          Load.of(
              2,
              Duration.ofMillis(2),
              n -> {
                store.trouble().ifPresent(trouble -> opened.incrementAndGet());
                return n % 2 == 0
                    ? limiter.hit("small" + n % 10)
                    : limiter.hitAsync("small" + n % 10).toCompletableFuture().join();
              });
      Eventually.pass(LASTS);
      small.close();
      stalls.close();
      over.set(true);
      for (Thread thread : threads) {
        join(thread);
      }
      List<Load.Sample> samples = small.samples();
      List<Decision> degraded =
          samples.stream().map(Load.Sample::decision).filter(Decision::degraded).toList();
      System.out.printf(
          "bursts of %,d %s: %d small hits, %d degraded, p99 %.1f ms net of stalls; %d rounds of greed;"
              + " longest stall of the machine %.1f ms%n",
          calls,
          name,
          samples.size(),
          degraded.size(),
          Load.percentile(99, samples, stalls).toNanos() / 1e6,
          rounds.get(),
          stalls.longest() / 1e6);
      assertThat(small.thrown()).isEmpty();
      assertThat(samples.size()).isGreaterThan(30);
      assertThat(opened).as("looks that found Redis given up").hasValue(0);
      assertThat(degraded).isEmpty();
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join(10_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    assertThat(thread.isAlive()).isFalse();
  }
}
