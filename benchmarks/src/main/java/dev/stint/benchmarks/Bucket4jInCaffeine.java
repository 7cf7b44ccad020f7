package dev.stint.benchmarks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;

/**
 * Bucket4j in a Caffeine cache that is bounded, as Stint's table is, and large enough for all keys.
 */
final class Bucket4jInCaffeine implements Subject {

  private final Cache<String, Bucket> buckets;
  private final Bandwidth bandwidth;

  Bucket4jInCaffeine(Rate rate, int keys) {
    buckets = Caffeine.newBuilder().maximumSize(2L * keys).build();
    bandwidth = Bucket4jInMap.bandwidth(rate);
  }

  private Bucket find(String key) {
    return buckets.get(key, k -> Bucket4jInMap.bucket(bandwidth));
  }

  @Override
  public boolean hit(String key) {
    return find(key).tryConsume(1);
  }

  @Override
  public void exhaust(String key) {
    find(key).tryConsumeAsMuchAsPossible();
  }
}
