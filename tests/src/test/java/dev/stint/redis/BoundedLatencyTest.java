package dev.stint.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Decision;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.lab.RedisServer;
import dev.stint.lab.TcpProxy;
import dev.stint.promises.Stalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Whatever happens to Redis, a decision takes no longer than the deadline and a moment; and next to
 * nothing once it is known that Redis is away.
 */
@Tag("redis")
@ExtendWith(QuietLettuce.class)
class BoundedLatencyTest {

  private static final Duration DEADLINE = Duration.ofMillis(25);
  private static final Duration MOMENT = Duration.ofMillis(5);
  private static final Duration KNOWN_AWAY = Duration.ofNanos(200_000);
  private static final Duration FOUND_OUT = Duration.ofSeconds(1);
  private static final Duration RECOVERED = Duration.ofSeconds(5);

  /** Code that was never run is not yet compiled; a service that runs has left that behind. */
  @BeforeAll
  static void warmUp() {
    RedisServer gone = RedisServer.start();
    gone.close();
    try (RedisStore store = RedisStore.connect(gone.uri())) {
      RateLimiter limiter = RateLimiter.of(store, Limit.parse("1000000/hour"));
      for (int i = 0; i < 20_000; i++) {
        Ordeal.ask(limiter, i);
      }
    }
  }

  @Test
  void a_server_killed_three_times() {
    killed(3);
  }

  @Test
  @Tag("nightly")
  void a_server_killed_fifty_times() {
    killed(50);
  }

  private static void killed(int times) {
    try (RedisServer server = RedisServer.start();
        Ordeal ordeal = new Ordeal("killed", server.uri())) {
      for (int i = 0; i < times; i++) {
        ordeal.away(server::kill, server::restart);
      }
      ordeal.judge();
    }
  }

  @Test
  void a_server_stopped_three_times() {
    stopped(3);
  }

  @Test
  @Tag("nightly")
  void a_server_stopped_twenty_times() {
    stopped(20);
  }

  private static void stopped(int times) {
    try (RedisServer server = RedisServer.start();
        Ordeal ordeal = new Ordeal("stopped", server.uri())) {
      for (int i = 0; i < times; i++) {
        ordeal.away(server::stop, server::cont);
      }
      ordeal.judge();
    }
  }

  @Test
  void a_server_slower_than_the_deadline() {
    try (RedisServer server = RedisServer.start();
        TcpProxy proxy = TcpProxy.to(server.port());
        Ordeal ordeal = new Ordeal("slow", proxy.uri())) {
      for (int i = 0; i < 3; i++) {
        ordeal.away(() -> proxy.latency(Duration.ofMillis(40)), () -> proxy.latency(Duration.ZERO));
      }
      ordeal.judge();
    }
  }

  @Test
  void a_server_that_flaps() {
    try (RedisServer server = RedisServer.start();
        TcpProxy proxy = TcpProxy.to(server.port());
        Ordeal ordeal = new Ordeal("flapping", proxy.uri())) {
      for (int i = 0; i < 12; i++) {
        proxy.refuse(true);
        proxy.reset();
        Eventually.pass(Duration.ofMillis(60));
        proxy.refuse(false);
        Eventually.pass(Duration.ofMillis(190));
      }
      ordeal.awaitRecovery();
      ordeal.judge();
    }
  }

  /** A store under load, and what was asked of it. */
  private static final class Ordeal implements AutoCloseable {

    private record Span(long from, long to) {}

    private final String name;
    private final RedisStore store;
    private final Stalls stalls = Stalls.watch();
    private final Load load;
    private final List<Span> away = new ArrayList<>();
    private Duration longestRecovery = Duration.ZERO;

    Ordeal(String name, String uri) {
      this.name = name;
      store = RedisStore.builder(uri).deadline(DEADLINE).build();
      RateLimiter limiter = RateLimiter.of(store, Limit.parse("1000000/hour"));
      load = Load.of(4, Duration.ofMillis(2), n -> ask(limiter, n));
      awaitRecovery();
      Eventually.pass(Duration.ofMillis(300));
    }

    private static Decision ask(RateLimiter limiter, long number) {
      String key = "user:" + number % 100;
      return number % 2 == 0
          ? limiter.hit(key)
          : limiter.hitAsync(key).toCompletableFuture().join();
    }

    void away(Runnable hurt, Runnable mend) {
      hurt.run();
      Eventually.pass(FOUND_OUT);
      long from = System.nanoTime();
      Eventually.pass(Duration.ofMillis(500));
      away.add(new Span(from, System.nanoTime()));
      mend.run();
      awaitRecovery();
      Eventually.pass(Duration.ofMillis(200));
    }

    void awaitRecovery() {
      Duration took = load.await(RECOVERED, "an exact decision", one -> !one.degraded());
      longestRecovery = took.compareTo(longestRecovery) > 0 ? took : longestRecovery;
    }

    void judge() {
      load.close();
      stalls.close();
      List<Load.Sample> all = load.samples();
      Duration worst = Load.percentile(99.9, all, stalls);
      Duration known =
          Load.percentile(
              99, away.stream().flatMap(span -> load.between(span.from, span.to)).toList(), stalls);
      System.out.printf(
          "%s: %d decisions, %d degraded; p99.9 %.2f ms; once known p99 %.3f ms; recovery within"
              + " %d ms; longest stall of the machine %.1f ms%n",
          name,
          all.size(),
          all.stream().filter(Load.Sample::degraded).count(),
          worst.toNanos() / 1e6,
          known.toNanos() / 1e6,
          longestRecovery.toMillis(),
          stalls.longest() / 1e6);
      assertThat(load.thrown()).isEmpty();
      assertThat(worst).as("p99.9 of all").isLessThanOrEqualTo(DEADLINE.plus(MOMENT));
      assertThat(known).as("p99 once known").isLessThanOrEqualTo(KNOWN_AWAY);
      assertThat(all).allMatch(one -> one.degraded() == one.decision().reason().isPresent());
      for (Span span : away) {
        assertThat(load.between(span.from, span.to)).isNotEmpty().allMatch(Load.Sample::degraded);
      }
    }

    @Override
    public void close() {
      load.close();
      stalls.close();
      store.close();
    }
  }
}
