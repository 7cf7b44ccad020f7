package dev.stint.benchmarks.server;

import dev.stint.Decision;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.redis.RedisStore;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.jspecify.annotations.Nullable;

/** The store in Redis without the service before it: used in this process, by one thread. */
final class DirectRedis implements Contestant.Asking, AutoCloseable {

  /** So long that no stall of the machine becomes a quick answer that is not Redis'. */
  static final Duration DEADLINE = Duration.ofSeconds(2);

  private final RedisStore store;
  private final RateLimiter limiter;
  private final int underWay;
  private final String[] keys;
  private int next;

  DirectRedis(String uri, int underWay, int keys) {
    store = RedisStore.builder(uri).prefix("direct").deadline(DEADLINE).build();
    limiter = RateLimiter.of(store, Limit.parse(Servers.LIMIT));
    this.underWay = underWay;
    this.keys = new String[keys];
    // A prime step goes through all of them in no order that Redis could like.
    for (int i = 0; i < keys; i++) {
      this.keys[i] = "user:" + (int) (i * 7_919L % keys);
    }
  }

  @Override
  public Tally closed(long millis) throws InterruptedException {
    Semaphore free = new Semaphore(underWay);
    ConcurrentHistogram latencies = new ConcurrentHistogram(60_000_000_000L, 3);
    LongAdder refused = new LongAdder();
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    long begin = System.nanoTime();
    long end = begin + millis * 1_000_000;
    long now = begin;
    while (now < end && failure.get() == null) {
      free.acquire();
      now = System.nanoTime();
      long asked = now;
      next = next + 1 == keys.length ? 0 : next + 1;
      CompletionStage<Decision> unused =
          limiter
              .hitAsync(keys[next])
              .whenComplete(
                  (decision, failed) -> {
                    if (failed != null) {
                      failure.compareAndSet(null, failed);
                    } else if (decision.degraded()) {
                      failure.compareAndSet(null, new IllegalStateException("degraded"));
                    } else {
                      refused.add(decision.allowed() ? 0 : 1);
                      latencies.recordValue(System.nanoTime() - asked);
                    }
                    free.release();
                  });
    }
    long answered = latencies.getTotalCount();
    free.acquire(underWay);
    Throwable failed = failure.get();
    if (failed != null) {
      throw new IllegalStateException("every decision must be Redis'", failed);
    }
    return new Tally(answered, refused.sum(), now - begin, latencies);
  }

  @Override
  public void close() {
    store.close();
  }
}
