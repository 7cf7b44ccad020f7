package dev.stint.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.StoreException;
import dev.stint.lab.RedisServer;
import dev.stint.lab.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Wherever a call breaks off, nothing is left behind that stays: every key expires, nobody is
 * blocked for longer than a window, and decisions go on.
 */
@Tag("redis")
@ExtendWith(QuietLettuce.class)
class CrashPointsTest {

  private static final Duration WINDOW = Duration.ofMinutes(1);
  private static final Duration SOON = Duration.ofSeconds(10);
  private static final int LANES = 6;

  private static final List<Limit> LIMITS =
      List.of(
          Limit.fixedWindow(5, WINDOW),
          Limit.fixedWindow(5, WINDOW).named("counting").countingDenied(),
          Limit.fixedWindowPerKey(5, WINDOW),
          Limit.slidingLog(5, WINDOW),
          Limit.slidingCounter(5, WINDOW),
          Limit.tokenBucket(5, WINDOW),
          Limit.tokenBucket(7, WINDOW).named("fractions"),
          Limit.leakyBucket(5, WINDOW),
          Limit.quota(5));

  private interface Action {
    void on(RateLimiter limiter, String key);
  }

  /** Something a caller may do, and how many bytes that takes. */
  private static final class Deed {
    final Action action;
    int requestBytes;
    int replyBytes;

    Deed(Action action) {
      this.action = action;
    }
  }

  private static List<Deed> deeds() {
    List<Deed> deeds = new ArrayList<>();
    for (Limit limit : LIMITS) {
      deeds.add(new Deed((limiter, key) -> limiter.hit(limit.on(key))));
      deeds.add(new Deed((limiter, key) -> limiter.inc(limit.on(key).cost(2))));
      deeds.add(new Deed((limiter, key) -> limiter.set(limit.on(key), 3)));
      deeds.add(new Deed((limiter, key) -> limiter.refund(limit.on(key))));
      deeds.add(new Deed((limiter, key) -> limiter.reset(limit.on(key))));
      deeds.add(new Deed((limiter, key) -> limiter.peek(limit.on(key).cost(5))));
    }
    deeds.add(new Deed((limiter, key) -> limiter.hit(all(key))));
    deeds.add(new Deed((limiter, key) -> limiter.refund(limiter.hit(all(key)))));
    return deeds;
  }

  private static KeyedLimit[] all(String key) {
    return LIMITS.stream().map(limit -> limit.on(key)).toArray(KeyedLimit[]::new);
  }

  @Test
  void a_thousand_cuts_in_requests_and_replies() throws Exception {
    cut(1_000);
  }

  @Test
  @Tag("nightly")
  void ten_thousand_cuts_in_requests_and_replies() throws Exception {
    cut(10_000);
  }

  private static void cut(int points) throws Exception {
    try (RedisServer server = RedisServer.start()) {
      List<Deed> deeds = deeds();
      measure(server, deeds);
      AtomicInteger next = new AtomicInteger();
      BitSet requests = new BitSet();
      BitSet replies = new BitSet();
      List<CompletableFuture<Void>> lanes = new ArrayList<>();
      for (int i = 0; i < LANES; i++) {
        CompletableFuture<Void> lane = new CompletableFuture<>();
        lanes.add(lane);
        Thread thread =
            new Thread(
                () -> {
                  try (Lane own = new Lane(server)) {
                    for (int p = next.getAndIncrement(); p < points; p = next.getAndIncrement()) {
                      Deed deed = deeds.get(p / 2 % deeds.size());
                      boolean request = p % 2 == 0;
                      int n = p / 2 % (request ? deed.requestBytes : deed.replyBytes);
                      synchronized (requests) {
                        (request ? requests : replies).set(n);
                      }
                      own.cut(deed, request, n, "k" + p);
                    }
                    lane.complete(null);
                  } catch (RuntimeException | Error e) {
                    lane.completeExceptionally(e);
                  }
                });
        thread.setDaemon(true);
        thread.start();
      }
      for (CompletableFuture<Void> lane : lanes) {
        lane.join();
      }
      int request = deeds.stream().mapToInt(deed -> deed.requestBytes).min().orElseThrow();
      int reply = deeds.stream().mapToInt(deed -> deed.replyBytes).min().orElseThrow();
      assertThat(requests.nextClearBit(0)).as("first byte not cut").isGreaterThanOrEqualTo(request);
      assertThat(replies.nextClearBit(0)).as("first byte not cut").isGreaterThanOrEqualTo(reply);
      assertThat(Places.of(server)).hasSizeGreaterThan(points / 2);
      assertNothingStays(server, points);
    }
  }

  private static void measure(RedisServer server, List<Deed> deeds) {
    try (TcpProxy proxy = TcpProxy.to(server.port());
        RedisStore store = Servers.patient(proxy.uri())) {
      RateLimiter limiter = RateLimiter.of(store);
      for (Deed deed : deeds) {
        // Once to bring the script there, and once to measure.
        deed.action.on(limiter, "k1000");
        settle();
        long requestBytes = proxy.requestBytes();
        long replyBytes = proxy.replyBytes();
        deed.action.on(limiter, "k1000");
        settle();
        deed.requestBytes = (int) (proxy.requestBytes() - requestBytes);
        deed.replyBytes = (int) (proxy.replyBytes() - replyBytes);
        assertThat(Math.min(deed.requestBytes, deed.replyBytes)).isPositive();
      }
    }
  }

  /** The proxy counts bytes a moment after it has sent them. */
  private static void settle() {
    Eventually.pass(Duration.ofMillis(5));
  }

  /** One caller with a way of its own to the server, so that several can be cut at once. */
  private static final class Lane implements AutoCloseable {

    private final TcpProxy proxy;
    private final RedisStore store;
    private final RateLimiter limiter;

    Lane(RedisServer server) {
      proxy = TcpProxy.to(server.port());
      store = RedisStore.builder(proxy.uri()).deadline(Duration.ofMillis(100)).build();
      limiter = RateLimiter.of(store);
    }

    /** Cuts after the n-th byte of what the deed sends or receives. */
    void cut(Deed deed, boolean request, int n, String key) {
      Limit some = LIMITS.get(n % LIMITS.size());
      Eventually.within(SOON, "an exact decision", () -> !limiter.hit(some.on(key)).degraded());
      if (request) {
        proxy.cutAfterRequestBytes(n);
      } else {
        proxy.cutAfterReplyBytes(n);
      }
      try {
        deed.action.on(limiter, key);
      } catch (StoreException e) {
        // All but hits, peeks and acquires may say that they failed.
      }
    }

    @Override
    public void close() {
      store.close();
      proxy.close();
    }
  }

  @Test
  void twenty_kills_of_a_server_that_keeps_a_log() throws Exception {
    try (RedisServer server = RedisServer.start(RedisServer.Settings::appendOnly)) {
      List<Deed> deeds = deeds();
      int killed = 20;
      AtomicInteger number = new AtomicInteger();
      for (int kill = 0; kill < killed; kill++) {
        try (RedisStore store = RedisStore.connect(server.uri())) {
          RateLimiter limiter = RateLimiter.of(store);
          Load load =
              Load.of(
                  2,
                  Duration.ofNanos(1),
                  n -> {
                    String key = "k" + number.getAndIncrement();
                    try {
                      deeds.get((int) (n % deeds.size())).action.on(limiter, key);
                    } catch (StoreException e) {
                      // All but hits, peeks and acquires may say that they failed.
                    }
                    return limiter.hit(LIMITS.get((int) (n % LIMITS.size())).on(key));
                  });
          load.await(SOON, "an exact decision", one -> !one.degraded());
          Eventually.pass(Duration.ofMillis(10 + kill));
          server.kill();
          load.await(SOON, "a degraded decision", Load.Sample::degraded);
          load.close();
          assertThat(load.thrown()).isEmpty();
        }
        server.restart();
      }
      assertThat(Places.of(server)).hasSizeGreaterThan(killed);
      assertNothingStays(server, number.get());
    }
  }

  /** Looks at every key there is: it expires, unless it is a quota's, and blocks for a window. */
  private static void assertNothingStays(RedisServer server, int keys) {
    for (String place : Places.of(server)) {
      long ttl = Places.ttl(server, place);
      if (place.contains("}1q")) {
        assertThat(ttl).as(place).isEqualTo(-1);
      } else {
        // Negative, it has expired since it was found.
        assertThat(ttl).as(place).isNotEqualTo(-1).isLessThan(2 * WINDOW.toMillis() + 2_000);
      }
    }
    try (RedisStore store = Servers.patientBuilder(server.uri()).maxInFlight(1_000_000).build()) {
      RateLimiter limiter = RateLimiter.of(store);
      List<CompletableFuture<Decision>> peeks = new ArrayList<>();
      for (int i = 0; i < keys; i++) {
        peeks.add(limiter.peekAsync(all("k" + i)).toCompletableFuture());
      }
      for (CompletableFuture<Decision> peek : peeks) {
        assertThat(peek.join().reason()).isEmpty();
        for (Decision one : peek.join().limits()) {
          if (one.limit().kind() != Limit.Kind.QUOTA) {
            assertThat(one.retryAfter()).isLessThanOrEqualTo(WINDOW);
          }
        }
      }
      assertThat(limiter.hit(all("somebody new")).allowed()).isTrue();
    }
  }
}
