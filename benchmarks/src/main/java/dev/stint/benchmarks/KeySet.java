package dev.stint.benchmarks;

import java.time.Duration;
import java.util.SplittableRandom;

/**
 * Which keys come, and in which order.
 *
 * <p>The limits are as tight as they can be without ever refusing in a run of a minute, and so slow
 * that a key is still in debt when it comes again. A faster refill would measure fresh keys all the
 * time. Only the rare keys of the Zipf set are drained when they come again, as in life.
 */
@SuppressWarnings(
    "ImmutableEnumChecker") // a record of values, but the checker asks for its annotation
public enum KeySet {
  HOT("hot", 1, 1 << 10, Rate.perDay(1_000_000_000), Duration.ofNanos(4_000)),
  THOUSAND("1 k", 1_000, 1 << 16, Rate.perDay(10_000_000), Duration.ofMillis(2)),
  MILLION("1 M", 1_000_000, 1 << 22, Rate.perDay(1_000), Duration.ofSeconds(5)),
  ZIPF(
      "1 M Zipf",
      1_000_000,
      1 << 22,
      new Rate(100_000_000, Duration.ofDays(30)),
      Duration.ofNanos(50_000)),
  TEN_MILLION("10 M", 10_000_000, 1 << 24, Rate.perDay(1_000), Duration.ofMinutes(1));

  /** The amount of every sliding log. */
  static final long LOG_AMOUNT = 100;

  // Coprime to the size of the Zipf set, so that it permutes: popular keys lie anywhere, not side
  // by
  // side as they would if they had been inserted in the order of their popularity.
  private static final long SCATTER = 611_953;

  private final String label;
  private final int count;
  private final int length;
  private final Rate rate;
  private final Duration logWindow;

  KeySet(String label, int count, int length, Rate rate, Duration logWindow) {
    this.label = label;
    this.count = count;
    this.length = length;
    this.rate = rate;
    this.logWindow = logWindow;
  }

  String label() {
    return label;
  }

  /** The number of different keys. */
  int count() {
    return count;
  }

  /** The limit of every key. */
  Rate rate() {
    return rate;
  }

  /**
   * The limit of every key's log. It holds so few units that only a short window admits everything.
   */
  Rate logRate() {
    return new Rate(LOG_AMOUNT, logWindow);
  }

  /**
   * The keys in the order in which they come, by number. The length is a power of two, and long
   * enough that repeating it reaches most of the keys rather than a part that fits the caches.
   */
  int[] sequence(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] sequence = new int[length];
    if (this == ZIPF) {
      Zipf zipf = new Zipf(count, 1.0);
      for (int i = 0; i < length; i++) {
        sequence[i] = (int) (zipf.next(random) * SCATTER % count);
      }
    } else {
      for (int i = 0; i < length; i++) {
        sequence[i] = random.nextInt(count);
      }
    }
    return sequence;
  }
}
