package dev.stint.benchmarks;

import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.local.LocalBucketBuilder;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Bucket4j in a ConcurrentHashMap, with its defaults: lock-free, a clock of milliseconds. Buckets
 * share their bandwidths, and a key that is there is found by a plain {@code get}.
 */
final class Bucket4jInMap implements Subject {

  private final ConcurrentHashMap<String, Bucket> buckets = new ConcurrentHashMap<>();
  private final Bandwidth[] bandwidths;

  Bucket4jInMap(Rate... rates) {
    bandwidths = new Bandwidth[rates.length];
    for (int i = 0; i < rates.length; i++) {
      bandwidths[i] = bandwidth(rates[i]);
    }
  }

  static Bandwidth bandwidth(Rate rate) {
    return Bandwidth.builder()
        .capacity(rate.amount())
        .refillGreedy(rate.amount(), rate.window())
        .build();
  }

  static Bucket bucket(Bandwidth... bandwidths) {
    LocalBucketBuilder builder = Bucket.builder();
    for (Bandwidth bandwidth : bandwidths) {
      builder.addLimit(bandwidth);
    }
    return builder.build();
  }

  private Bucket find(String key) {
    Bucket bucket = buckets.get(key);
    return bucket != null ? bucket : buckets.computeIfAbsent(key, k -> bucket(bandwidths));
  }

  @Override
  public boolean hit(String key) {
    return find(key).tryConsume(1);
  }

  @Override
  public Object answer(String key) {
    return find(key).tryConsumeAndReturnRemaining(1);
  }

  @Override
  public void exhaust(String key) {
    find(key).tryConsumeAsMuchAsPossible();
  }
}
