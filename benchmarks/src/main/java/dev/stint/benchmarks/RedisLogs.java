package dev.stint.benchmarks;

import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.redis.RedisStore;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * What a hit on a full sliding log costs: one caller, and a clock by which each hit drops the
 * oldest entry and adds one.
 *
 * @param server microseconds in the server
 * @param caller microseconds for the caller
 */
record RedisLogs(int amount, Spread server, Spread caller) {

  static final int SMALL = 100;
  static final int LARGE = 10_000;

  static final String ID = "logs";

  static List<RedisLogs> run(RedisUnderTest redis, RedisRace.Pace pace) {
    redis.empty();
    try (Log small = new Log(redis, SMALL);
        Log large = new Log(redis, LARGE)) {
      for (int round = -pace.warmups(); round < pace.rounds(); round++) {
        small.round(pace.millis(), round >= 0);
        large.round(pace.millis(), round >= 0);
      }
      return List.of(small.result(), large.result());
    }
  }

  /** A full log, and the rounds it has had. */
  private static final class Log implements AutoCloseable {

    private final RedisUnderTest redis;
    private final int amount;
    private final RedisStore store;
    private final RateLimiter limiter;
    private final List<Double> server = new ArrayList<>();
    private final List<Double> caller = new ArrayList<>();

    Log(RedisUnderTest redis, int amount) {
      this.redis = redis;
      this.amount = amount;
      store =
          RedisStore.builder(redis.uri())
              .deadline(StintInRedis.DEADLINE)
              .time(new StepTime(1))
              .build();
      Duration window = Duration.of(amount, ChronoUnit.MICROS);
      limiter = RateLimiter.of(store, Limit.slidingLog(amount, window));
      for (int i = 0; i < 2 * amount; i++) {
        hit();
      }
      if (limiter.hit("log").remaining() != 0) {
        throw new IllegalStateException("the log must be full: " + limiter.peek("log"));
      }
    }

    private void hit() {
      if (!StintInRedis.allowed(limiter.hit("log"))) {
        throw new IllegalStateException("every hit must be admitted: one was refused");
      }
    }

    void round(long millis, boolean counts) {
      CommandStats before = redis.stats();
      long begin = System.nanoTime();
      long nanos = 0;
      int hits = 0;
      while (nanos < millis * 1_000_000) {
        hit();
        hits++;
        nanos = System.nanoTime() - begin;
      }
      CommandStats ran = redis.stats().since(before);
      if (counts) {
        server.add((double) ran.scriptMicros() / ran.scripts());
        caller.add(nanos / 1e3 / hits);
      }
    }

    RedisLogs result() {
      return new RedisLogs(amount, Spread.of(server), Spread.of(caller));
    }

    @Override
    public void close() {
      store.close();
    }
  }
}
