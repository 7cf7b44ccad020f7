package dev.stint.benchmarks;

import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.AsyncBucketProxy;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.RedisClient;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Bucket4j on one Lettuce connection, by compare and swap; keys live until their bucket has
 * refilled. Proxies are made for each hit, as its manual advises: they are light.
 */
final class Bucket4jInRedis implements RedisSubject {

  private static final Duration GRACE = Duration.ofSeconds(1);

  private final RedisClient client;
  private final ProxyManager<String> buckets;
  private final BucketConfiguration configuration;
  private final CompletableFuture<BucketConfiguration> configurationAsync;

  Bucket4jInRedis(String uri, Rate rate) {
    client = RedisClient.create(uri);
    buckets =
        Bucket4jLettuce.casBasedBuilder(
                client.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE)))
            .expirationAfterWrite(
                ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(GRACE))
            .build();
    configuration = BucketConfiguration.builder().addLimit(Bucket4jInMap.bandwidth(rate)).build();
    configurationAsync = CompletableFuture.completedFuture(configuration);
  }

  @Override
  public boolean hit(String key) {
    return buckets.getProxy(key, () -> configuration).tryConsume(1);
  }

  private AsyncBucketProxy async(String key) {
    return buckets.asAsync().getProxy(key, () -> configurationAsync);
  }

  @Override
  public CompletionStage<Boolean> hitAsync(String key) {
    return async(key).tryConsume(1);
  }

  @Override
  public CompletionStage<?> insert(String key) {
    return hitAsync(key);
  }

  @Override
  public CompletionStage<?> exhaust(String key) {
    return async(key).tryConsumeAsMuchAsPossible();
  }

  @Override
  public void close() {
    client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
  }
}
