package dev.stint.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Decision;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.TimeSource;
import dev.stint.lab.RedisServer;
import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * An {@code Error} in the middle of a call ends that call and nothing else: nothing stays counted
 * as in flight, deadlines are still kept, and probes still find a server that is back.
 */
@ExtendWith(QuietLettuce.class)
class ErrorsInTheMiddleTest {

  private static final Limit LIMIT = Limit.parse("1000000/day fixed-window-per-key");
  private static final Duration SOON = Duration.ofSeconds(10);
  private static final Duration DEADLINE = Duration.ofMillis(250);
  private static final int HITS = 250;

  /** The system's clock, unless it is told to throw. */
  private static final class FailingTime implements TimeSource {

    volatile Supplier<Error> failure = null;

    @Override
    public long micros() {
      Supplier<Error> next = failure;
      if (next != null) {
        throw next.get();
      }
      return TimeSource.system().micros();
    }

    @Override
    public void sleep(long micros) throws InterruptedException {
      TimeSource.system().sleep(micros);
    }

    @Override
    public CompletableFuture<Void> delay(long micros) {
      return TimeSource.system().delay(micros);
    }
  }

  private static void attempt(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException | Error expected) {
      // Whether this call ends well does not matter here: the next ones must.
    }
  }

  /** Every one of many hits, blocking and not, is decided by Redis. */
  private static void assertHealthy(RateLimiter limiter) {
    Eventually.within(SOON, "an exact decision", () -> !limiter.hit("first").degraded());
    List<String> reasons = new ArrayList<>();
    for (int i = 0; i < HITS; i++) {
      limiter.hit("k" + i).reason().ifPresent(reasons::add);
      join(limiter.hitAsync("k" + i).toCompletableFuture()).reason().ifPresent(reasons::add);
    }
    assertThat(reasons).isEmpty();
  }

  private static Decision join(CompletableFuture<Decision> hit) {
    return hit.orTimeout(5, TimeUnit.SECONDS).join();
  }

  /** Calls that a frozen server does not answer still end at their deadline. */
  private static void assertKeepsDeadlines(RedisServer server, RateLimiter limiter) {
    server.stop();
    try {
      for (int i = 0; i < 3; i++) {
        assertThat(join(limiter.hitAsync("late").toCompletableFuture()).degraded()).isTrue();
      }
    } finally {
      server.cont();
    }
    Eventually.within(SOON, "an exact decision", () -> !limiter.hit("first").degraded());
  }

  private static RedisStore.Builder builder(RedisServer server) {
    return RedisStore.builder(server.uri()).deadline(DEADLINE);
  }

  @Test
  @Tag("redis")
  void a_clock_that_overflows_the_stack() {
    failingClock(StackOverflowError::new);
  }

  @Test
  @Tag("redis")
  void a_clock_that_runs_out_of_memory() {
    failingClock(() -> new OutOfMemoryError("simulated"));
  }

  private static void failingClock(Supplier<Error> failure) {
    FailingTime time = new FailingTime();
    try (RedisServer server = RedisServer.start();
        RedisStore store = builder(server).time(time).maxInFlight(50).build()) {
      RateLimiter limiter = RateLimiter.of(store, LIMIT);
      assertHealthy(limiter);
      time.failure = failure;
      for (int i = 0; i < HITS; i++) {
        attempt(() -> limiter.hit("k"));
        attempt(() -> limiter.hitAsync("k"));
      }
      time.failure = null;
      assertHealthy(limiter);
      assertKeepsDeadlines(server, limiter);
    }
  }

  @Test
  @Tag("redis")
  void a_clock_that_fails_while_keys_are_leased() {
    FailingTime time = new FailingTime();
    try (RedisServer server = RedisServer.start();
        RedisStore store = builder(server).time(time).build()) {
      RateLimiter limiter = RateLimiter.of(store.leasing(50), Limit.parse("1000000/minute"));
      assertHealthy(limiter);
      for (int round = 0; round < 100; round++) {
        for (int i = 0; i < 20; i++) {
          limiter.hit("hot");
        }
        time.failure = round % 2 == 0 ? StackOverflowError::new : OutOfMemoryError::new;
        for (int i = 0; i < 20; i++) {
          attempt(() -> limiter.hit("hot"));
          attempt(() -> limiter.hitAsync("hot"));
        }
        time.failure = null;
      }
      for (int i = 0; i < HITS; i++) {
        assertThat(join(limiter.hitAsync("hot").toCompletableFuture()).reason()).isEmpty();
      }
      assertHealthy(limiter);
    }
  }

  @Test
  @Tag("cluster")
  void a_clock_that_fails_in_the_middle_of_several_slots() {
    FailingTime time = new FailingTime();
    try (RedisStore store =
        Servers.patientBuilder(Servers.cluster().uri()).time(time).maxInFlight(50).build()) {
      RateLimiter limiter = RateLimiter.of(store);
      String key = UUID.randomUUID().toString();
      for (int round = 0; round < HITS; round++) {
        time.failure = StackOverflowError::new;
        attempt(() -> limiter.hitAsync(LIMIT.on(key + 1), LIMIT.on(key + 2), LIMIT.on(key + 3)));
        time.failure = null;
      }
      Decision hit = limiter.hit(LIMIT.on(key + 1), LIMIT.on(key + 2), LIMIT.on(key + 3));
      assertThat(hit.reason()).isEmpty();
      Eventually.within(
          SOON,
          "one charge each",
          () ->
              limiter.get(LIMIT.on(key + 1)) == 1
                  && limiter.get(LIMIT.on(key + 2)) == 1
                  && limiter.get(LIMIT.on(key + 3)) == 1);
    }
  }

  @Test
  @Tag("redis")
  void probes_that_fail_with_an_error_go_on() {
    FailingTime time = new FailingTime();
    try (RedisServer server = RedisServer.start();
        RedisStore store = builder(server).time(time).build()) {
      RateLimiter limiter = RateLimiter.of(store, LIMIT);
      assertHealthy(limiter);
      server.kill();
      Eventually.within(
          SOON,
          "an open breaker",
          () -> {
            limiter.hit("k");
            return store.trouble().isPresent();
          });
      time.failure = StackOverflowError::new;
      Eventually.pass(Duration.ofSeconds(2)); // some probes fall into this
      time.failure = null;
      server.restart();
      assertHealthy(limiter);
    }
  }

  @Test
  @Tag("redis")
  void calls_near_the_end_of_the_stack() throws InterruptedException {
    try (RedisServer server = RedisServer.start();
        RedisStore store = builder(server).maxInFlight(50).build()) {
      RateLimiter limiter = RateLimiter.of(store, LIMIT);
      assertHealthy(limiter);
      for (int i = 0; i < 8; i++) {
        boolean async = i % 2 == 1;
        IntPredicate call =
            n -> {
              if (async) {
                limiter.hitAsync("deep" + n % 7);
              } else {
                limiter.hit("deep" + n % 7);
              }
              return true;
            };
        Thread thread =
            new Thread(null, () -> new Descent(call).descend(), "deep", 512 * 1024 + i * 4096);
        thread.start();
        thread.join(TimeUnit.SECONDS.toMillis(60));
        assertThat(thread.isAlive()).isFalse();
      }
      assertHealthy(limiter);
      assertKeepsDeadlines(server, limiter);
    }
  }

  /** Calls something in each of the last frames of a stack, from the deepest up. */
  private static final class Descent {

    private static final int FRAMES = 400;

    private final IntPredicate call;
    private int calls;

    Descent(IntPredicate call) {
      this.call = call;
    }

    @SuppressWarnings("InfiniteRecursion")
    void descend() {
      try {
        descend();
      } catch (StackOverflowError end) {
        // The frame below has no room left; this one may have.
      }
      if (calls < FRAMES) {
        calls++;
        try {
          boolean unused = call.test(calls);
        } catch (RuntimeException | Error expected) {
          // The stack ended somewhere in the call.
        }
      }
    }
  }

  @Test
  @Tag("redis")
  void a_lettuce_whose_handlers_throw_errors() {
    AtomicInteger messages = new AtomicInteger();
    AtomicInteger thrown = new AtomicInteger();
    boolean[] on = {false};
    NettyCustomizer customizer =
        new NettyCustomizer() {
          @Override
          public void afterChannelInitialized(Channel channel) {
            channel.pipeline().addLast(new Faulty(on, messages, thrown));
          }
        };
    ClientResources resources = ClientResources.builder().nettyCustomizer(customizer).build();
    try (RedisServer server = RedisServer.start();
        RedisStore store =
            RedisStore.builder(RedisURI.create(server.uri()))
                .resources(resources)
                .deadline(DEADLINE)
                .maxInFlight(50)
                .build()) {
      RateLimiter limiter = RateLimiter.of(store, LIMIT);
      assertHealthy(limiter);
      on[0] = true;
      for (int i = 0; i < HITS; i++) {
        attempt(() -> limiter.hit("k"));
        attempt(() -> limiter.hitAsync("k"));
      }
      on[0] = false;
      assertThat(thrown.get()).isPositive();
      assertHealthy(limiter);
      assertKeepsDeadlines(server, limiter);
    } finally {
      resources.shutdown(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
    }
  }

  /** A handler of the application's that throws with every third message. */
  private static final class Faulty extends ChannelDuplexHandler {

    private final boolean[] on;
    private final AtomicInteger messages;
    private final AtomicInteger thrown;

    Faulty(boolean[] on, AtomicInteger messages, AtomicInteger thrown) {
      this.on = on;
      this.messages = messages;
      this.thrown = thrown;
    }

    private void maybeThrow() {
      if (on[0] && messages.incrementAndGet() % 3 == 0) {
        thrown.incrementAndGet();
        throw new StackOverflowError("simulated");
      }
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
      maybeThrow();
      ChannelFuture unused = context.write(message, promise);
    }
  }
}
