package dev.stint.benchmarks;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * Redisson's RRateLimiter with its defaults; every key is a limiter, whose rate is set before.
 * Names have a prefix, because Bucket4j uses the keys as they are.
 */
final class RedissonLimiter implements RedisSubject {

  private final RedissonClient client;
  private final Rate rate;

  RedissonLimiter(String uri, Rate rate) {
    Config config = new Config();
    config.useSingleServer().setAddress(uri);
    client = Redisson.create(config);
    this.rate = rate;
  }

  private RRateLimiter limiter(String key) {
    return client.getRateLimiter("rl:" + key);
  }

  @Override
  public boolean hit(String key) {
    return limiter(key).tryAcquire();
  }

  @Override
  public CompletionStage<Boolean> hitAsync(String key) {
    return limiter(key).tryAcquireAsync();
  }

  @Override
  public CompletionStage<?> insert(String key) {
    return insert(key, 1);
  }

  @Override
  public CompletionStage<?> exhaust(String key) {
    return insert(key, rate.amount());
  }

  private CompletionStage<?> insert(String key, long permits) {
    RRateLimiter limiter = limiter(key);
    return limiter
        .trySetRateAsync(RateType.OVERALL, rate.amount(), rate.window())
        .thenCompose(set -> limiter.tryAcquireAsync(permits));
  }

  @Override
  public void close() {
    client.shutdown(0, 2, TimeUnit.SECONDS);
  }
}
