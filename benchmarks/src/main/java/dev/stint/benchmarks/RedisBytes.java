package dev.stint.benchmarks;

import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.redis.RedisStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * What a key takes in Redis.
 *
 * @param perKey the bytes that so many keys add to the server's memory, tables included, divided by
 *     their number
 * @param usage MEMORY USAGE of what lies under one key
 */
record RedisBytes(String row, int keys, double perKey, long usage) {

  private static final int KEYS = 10_000;

  /** Of what takes a hundred hits to fill. */
  private static final int FEWER_KEYS = 1_000;

  private static final int AT_ONCE = 256;
  private static final int ATTEMPTS = 3;
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Rate USUAL = new Rate(100, MINUTE);

  /** How the keys of a job come to be. */
  interface Filling extends AutoCloseable {

    /** The units of every key are taken in so many passes over all keys. */
    int passes();

    CompletionStage<?> hit(String key);

    /** Lets time pass before the next pass. */
    void between();

    @Override
    void close();
  }

  /** How a filling is opened. */
  interface Opening {
    Filling at(String uri);
  }

  /**
   * A row to be weighed.
   *
   * @param most how much it may be; 0 if nothing is asked of it
   * @param names how many names in Redis one key has
   */
  record Job(String id, String row, double most, int keys, int names, Opening opening) {

    RedisBytes run(RedisUnderTest redis) throws InterruptedException {
      // The first key of all brings scripts and statistics with it.
      fill(redis, 1);
      for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
        redis.empty();
        long before = redis.bytes();
        fill(redis, keys);
        long after = redis.bytes();
        // A window of the clock may have ended meanwhile and taken its keys along.
        if (redis.keys("user:") == (long) keys * names) {
          long usage = redis.usage(RedisScenario.name(keys / 2));
          redis.empty();
          return new RedisBytes(row, keys, (after - before) / (double) keys, usage);
        }
      }
      throw new IllegalStateException(
          "%s must leave %d keys: it left %d".formatted(row, keys * names, redis.keys("user:")));
    }

    /** Over connections that are closed then, so that their buffers are not weighed. */
    private void fill(RedisUnderTest redis, int count) throws InterruptedException {
      try (Filling filling = opening.at(redis.uri())) {
        for (int pass = 0; pass < filling.passes(); pass++) {
          if (pass > 0) {
            filling.between();
          }
          Windowed.run(count, AT_ONCE, i -> filling.hit(RedisScenario.name(i)));
        }
      }
    }
  }

  static List<Job> jobs() {
    List<Job> jobs = new ArrayList<>();
    jobs.add(stint("window", "aligned window", 150, Limit.fixedWindow(100, MINUTE), 1));
    jobs.add(
        stint("window-per-key", "window per key", 185, Limit.fixedWindowPerKey(100, MINUTE), 1));
    jobs.add(
        stint("bucket", "bucket of whole microseconds", 150, Limit.tokenBucket(100, MINUTE), 1));
    jobs.add(
        stint(
            "bucket-fraction",
            "bucket with fractions (7 in 3 s)",
            185,
            Limit.tokenBucket(7, Duration.ofSeconds(3)),
            1));
    jobs.add(
        stint(
            "counter", "sliding counter, both counts", 185, Limit.slidingCounter(100, MINUTE), 2));
    jobs.add(stint("quota", "quota", 185, Limit.quota(100), 1));
    jobs.add(stint("log", "full log of 100", 1_300, Limit.slidingLog(100, MINUTE), 100));
    jobs.add(peer("bucket4j", "Bucket4j bucket", 1, uri -> new Bucket4jInRedis(uri, USUAL)));
    jobs.add(peer("redisson", "Redisson limiter", 3, uri -> new RedissonLimiter(uri, USUAL)));
    return jobs;
  }

  private static Job stint(String slug, String row, double most, Limit limit, int passes) {
    int keys = passes > 2 ? FEWER_KEYS : KEYS;
    return new Job(
        "bytes/" + slug,
        "Stint " + row,
        most,
        keys,
        1,
        uri -> new StintFilling(uri, limit, passes));
  }

  /** How a peer is opened. */
  private interface Peer {
    RedisSubject at(String uri);
  }

  private static Job peer(String slug, String row, int names, Peer peer) {
    return new Job("bytes/" + slug, row, 0, KEYS, names, uri -> new PeerFilling(peer.at(uri)));
  }

  /**
   * Fills by Stint. What needs several passes has a clock of its own, by which a window ends
   * between two passes over a counter, and a log's entries are spread over its window.
   */
  private static final class StintFilling implements Filling {

    private final StepTime time = new StepTime(0);
    private final RedisStore store;
    private final RateLimiter limiter;
    private final Limit limit;
    private final int passes;

    StintFilling(String uri, Limit limit, int passes) {
      RedisStore.Builder builder = RedisStore.builder(uri).deadline(Duration.ofSeconds(5));
      store = (passes > 1 ? builder.time(time) : builder).build();
      limiter = RateLimiter.of(store, limit);
      this.limit = limit;
      this.passes = passes;
    }

    @Override
    public int passes() {
      return passes;
    }

    @Override
    public CompletionStage<?> hit(String key) {
      return limiter.hitAsync(key).thenApply(StintInRedis::allowed);
    }

    @Override
    public void between() {
      boolean log = limit.kind() == Limit.Kind.SLIDING_LOG;
      time.advance(limit.window().toNanos() / 1000 / (log ? limit.amount() + 1 : 1));
    }

    @Override
    public void close() {
      store.close();
    }
  }

  /** Fills by a peer, with one hit for each key. */
  private record PeerFilling(RedisSubject subject) implements Filling {

    @Override
    public int passes() {
      return 1;
    }

    @Override
    public CompletionStage<?> hit(String key) {
      return subject.insert(key);
    }

    @Override
    public void between() {}

    @Override
    public void close() {
      subject.close();
    }
  }
}
