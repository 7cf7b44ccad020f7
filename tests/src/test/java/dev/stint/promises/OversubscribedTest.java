package dev.stint.promises;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Limit;
import dev.stint.Limit.Kind;
import dev.stint.RateLimiter;
import dev.stint.memory.MemoryStore;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * With many more threads than processors, a caller is often suspended inside its call, for longer
 * than a short window. On the system clock, no more is admitted than each algorithm allows over the
 * elapsed time.
 *
 * <p>{@code -Dstint.oversubscribed.seconds=n} sets how long each algorithm is tested.
 */
class OversubscribedTest {

  private static final double SECONDS = Long.getLong("stint.oversubscribed.seconds", 5);

  /** The least ratio of what is asked for to what is allowed. */
  private static final long OFFERED = 10;

  /** How far the store's wall clock may be from the machine's: it follows that once a second. */
  private static final long WALL_CLOCK_ERROR = 1_000;

  private static final String KEY = "k";

  /** A limit's amount and window, and its share of the time. */
  private record Rate(long amount, Duration window, double share) {}

  private static final List<Rate> RATES =
      List.of(
          new Rate(5, Duration.ofMillis(1), 0.2),
          new Rate(50, Duration.ofMillis(10), 0.2),
          new Rate(100, Duration.ofMillis(100), 0.2),
          new Rate(100, Duration.ofSeconds(1), 0.4));

  private final List<String> figures = new ArrayList<>();
  private final List<String> violations = new ArrayList<>();

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "QUOTA")
  void no_algorithm_admits_more_than_it_allows_over_the_elapsed_time(Kind kind) throws Exception {
    for (Rate rate : RATES) {
      check(rate.share * SECONDS, limit(kind, rate));
    }
    report(kind.word());
  }

  @Test
  void a_quota_is_spent_once() throws Exception {
    Limit quota = Limit.quota(1_000);
    try (MemoryStore store = store()) {
      RateLimiter limiter = RateLimiter.of(store, quota);
      ContendedRun run =
          ContendedRun.of(
              Duration.ofMillis((long) (100 * SECONDS)),
              () -> limiter.hit(KEY),
              () -> limiter.peek(KEY));
      assertThat(run.offered()).isGreaterThan(OFFERED * quota.amount());
      assertThat(run.admissions().count()).isEqualTo(1_000);
    }
  }

  static Stream<List<Kind>> pairs() {
    return Stream.of(
        List.of(Kind.SLIDING_LOG, Kind.FIXED_WINDOW),
        List.of(Kind.FIXED_WINDOW_PER_KEY, Kind.SLIDING_COUNTER),
        List.of(Kind.TOKEN_BUCKET, Kind.SLIDING_LOG));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void two_limits_on_one_key_admit_no_more_than_either_allows(List<Kind> pair) throws Exception {
    for (int i = 0; i + 1 < RATES.size(); i++) {
      check(SECONDS / 9, limit(pair.get(0), RATES.get(i)), limit(pair.get(1), RATES.get(i + 1)));
    }
    report(pair.get(0).word() + " and " + pair.get(1).word());
  }

  private static Limit limit(Kind kind, Rate rate) {
    return Limit.parse(
        "%d per %d ms %s".formatted(rate.amount, rate.window.toMillis(), kind.word()));
  }

  /** Sweeps often, because a sweep must not forget what a suspended caller is about to charge. */
  private static MemoryStore store() {
    return MemoryStore.builder().cleanPeriod(Duration.ofMillis(10)).build();
  }

  /** Has the code compiled before the run, which would offer too little otherwise. */
  private static void warmUp(RateLimiter limiter) {
    for (int i = 0; i < 50_000; i++) {
      limiter.hit("warm-up");
    }
  }

  private void check(double seconds, Limit... limits) throws Exception {
    ContendedRun run;
    try (MemoryStore store = store()) {
      RateLimiter limiter = RateLimiter.of(store, limits);
      warmUp(limiter);
      run =
          ContendedRun.of(
              Duration.ofMillis((long) (1000 * seconds)),
              () -> limiter.hit(KEY),
              () -> limiter.peek(KEY));
    }
    long allowed = Long.MAX_VALUE;
    for (Limit limit : limits) {
      allowed = Math.min(allowed, mostIn(run, limit));
    }
    int admitted = run.admissions().count();
    String name = Stream.of(limits).map(Limit::toString).collect(Collectors.joining("; "));
    figures.add(
        "%s: %,d of %,d allowed, %,d offered".formatted(name, admitted, allowed, run.offered()));
    if (admitted > allowed) {
      violations.add(
          "%s admitted %,d in %.3f s, where %,d are allowed"
              .formatted(name, admitted, run.seconds(), allowed));
    }
    for (Limit limit : limits) {
      int densest = run.admissions().densest(span(limit));
      if (densest > mostInSpan(limit)) {
        violations.add(
            "%s admitted %,d within %d µs, where %,d are allowed"
                .formatted(limit, densest, span(limit), mostInSpan(limit)));
      }
    }
    assertThat(run.offered())
        .as("offered to %s, to be at least %d times what is allowed", name, OFFERED)
        .isGreaterThanOrEqualTo(OFFERED * allowed);
  }

  /**
   * The most that a limit may admit in a run.
   *
   * <ul>
   *   <li>Aligned window: the amount in each window of the wall clock that the run touches.
   *   <li>Window per key, and each bucket of the sliding counter: windows start at least a window
   *       apart, and each admits the amount at most.
   *   <li>Sliding log: the run divides into so many spans of a window or less.
   *   <li>Buckets: the burst, and what leaks from the first moment to the last.
   * </ul>
   */
  private static long mostIn(ContendedRun run, Limit limit) {
    long window = micros(limit);
    long elapsed = run.last() - run.first();
    return switch (limit.kind()) {
      case FIXED_WINDOW -> {
        long first = Math.floorDiv(run.wallFirst() - WALL_CLOCK_ERROR, window);
        long last = Math.floorDiv(run.wallLast() + WALL_CLOCK_ERROR, window);
        yield limit.amount() * (last - first + 1);
      }
      case FIXED_WINDOW_PER_KEY, SLIDING_LOG, SLIDING_COUNTER ->
          limit.amount() * (elapsed / window + 1);
      case TOKEN_BUCKET, LEAKY_BUCKET ->
          limit.capacity()
              + BigInteger.valueOf(limit.amount())
                  .multiply(BigInteger.valueOf(elapsed))
                  .divide(BigInteger.valueOf(window))
                  .longValueExact();
      case QUOTA -> limit.amount();
    };
  }

  /**
   * The span in which admissions are counted: a window. Of an aligned one half a window, because
   * the wall clock may be corrected within the span.
   */
  private static long span(Limit limit) {
    return limit.kind() == Kind.FIXED_WINDOW ? micros(limit) / 2 : micros(limit);
  }

  /** A span touches two windows at most; only the log looks at every span of a window. */
  private static long mostInSpan(Limit limit) {
    return limit.kind() == Kind.SLIDING_LOG ? limit.amount() : 2 * limit.amount();
  }

  private static long micros(Limit limit) {
    return limit.window().toNanos() / 1_000;
  }

  private void report(String what) {
    System.out.printf(
        "Oversubscribed: %s, %d threads; %s%n",
        what, ContendedRun.threads(), String.join("; ", figures));
    assertThat(violations).isEmpty();
  }
}
