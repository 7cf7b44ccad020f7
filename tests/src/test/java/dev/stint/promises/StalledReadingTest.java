package dev.stint.promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.TimeSource;
import dev.stint.memory.MemoryStore;
import dev.stint.testkit.ManualTime;
import dev.stint.testkit.StallingTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** P11: a caller whose reading of the clock is old mints nothing; nor do two clocks that differ. */
class StalledReadingTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private static List<Limit> limits(long amount) {
    return List.of(
        Limit.fixedWindow(amount, SECOND),
        Limit.fixedWindowPerKey(amount, SECOND),
        Limit.slidingLog(amount, SECOND),
        Limit.slidingCounter(amount, SECOND),
        Limit.tokenBucket(amount, SECOND),
        Limit.leakyBucket(amount, SECOND));
  }

  private interface Late {
    void call(RateLimiter limiter, KeyedLimit place);
  }

  @TestFactory
  Stream<DynamicTest> a_hit_that_comes_late_does_not_free_a_limit_that_was_filled_since() {
    return filledSince("hit", RateLimiter::hit);
  }

  @TestFactory
  Stream<DynamicTest> a_peek_that_comes_late_does_not_free_a_limit_that_was_filled_since() {
    return filledSince("peek", RateLimiter::peek);
  }

  @TestFactory
  Stream<DynamicTest> a_joint_hit_that_comes_late_does_not_free_a_limit_that_was_filled_since() {
    KeyedLimit other = Limit.quota(1000).on("other");
    return filledSince("joint", (limiter, place) -> limiter.hit(place, other));
  }

  @TestFactory
  Stream<DynamicTest> a_get_that_comes_late_does_not_free_a_limit_that_was_filled_since() {
    return filledSince("get", RateLimiter::get);
  }

  private static Stream<DynamicTest> filledSince(String name, Late late) {
    return limits(5).stream()
        .flatMap(
            limit ->
                IntStream.rangeClosed(1, 3)
                    .mapToObj(
                        reading ->
                            dynamicTest(
                                "%s, %s, reading %d".formatted(limit, name, reading),
                                () -> filledSince(limit, reading, late))));
  }

  private static void filledSince(Limit limit, int reading, Late late) throws Exception {
    ManualTime time = ManualTime.create();
    StallingTime stalling = StallingTime.of(time);
    RateLimiter limiter = RateLimiter.of(store(stalling));
    KeyedLimit place = limit.on("k");
    limiter.hit(place);
    stalling.stallReading(
        reading,
        () -> {
          time.advance(Duration.ofSeconds(10));
          limiter.inc(place.cost(5));
        });
    late.call(limiter, place);
    if (stalling.hasStalled()) {
      stalling.awaitMeanwhile();
      assertThat(limiter.hit(place).allowed()).as("the limit is full").isFalse();
    }
  }

  @TestFactory
  Stream<DynamicTest> a_hit_that_finds_its_row_swept_counts_now_and_not_in_the_past() {
    return limits(5).stream().map(limit -> dynamicTest(limit.toString(), () -> swept(limit)));
  }

  /**
   * The key that is missing locks its stripe, and the clock is read then. The other key may lie in
   * that stripe too: it was there when the clock was read, so it could still be forgotten.
   */
  @TestFactory
  Stream<DynamicTest> a_joint_hit_that_finds_one_row_swept_counts_now_and_not_in_the_past() {
    return limits(5).stream()
        .map(
            limit ->
                dynamicTest(
                    limit.toString(),
                    () -> {
                      for (int i = 0; i < 300; i++) {
                        sweptBesideAMissingKey(limit, "missing" + i);
                      }
                    }));
  }

  private static void sweptBesideAMissingKey(Limit limit, String missing) throws Exception {
    ManualTime time = ManualTime.create();
    StallingTime stalling = StallingTime.of(time);
    MemoryStore store = store(stalling);
    RateLimiter limiter = RateLimiter.of(store);
    KeyedLimit place = limit.on("k");
    limiter.hit(place.cost(5));
    time.advance(Duration.ofMillis(900));
    stalling.stallReading(
        2,
        () -> {
          time.advance(Duration.ofMillis(1500));
          store.clean();
        });
    boolean admitted = limiter.hit(limit.on(missing), place.cost(5)).allowed();
    if (!stalling.hasStalled()) {
      return;
    }
    stalling.awaitMeanwhile();
    if (admitted) {
      RateLimiter control = RateLimiter.of(store(time));
      control.hit(place.cost(5));
      assertThat(limiter.expiresAt(place)).as(missing).isEqualTo(control.expiresAt(place));
      assertThat(limiter.hit(place).allowed()).as(missing).isFalse();
    }
  }

  private static void swept(Limit limit) throws Exception {
    ManualTime time = ManualTime.create();
    StallingTime stalling = StallingTime.of(time);
    MemoryStore store = store(stalling);
    RateLimiter limiter = RateLimiter.of(store, limit);
    stalling.stallReading(
        1,
        () -> {
          limiter.hit("k", 5);
          time.advance(Duration.ofSeconds(10));
          store.clean();
        });
    assertThat(limiter.hit("k").allowed()).isTrue();
    stalling.awaitMeanwhile();
    assertThat(limiter.get("k")).isEqualTo(1);
    assertThat(limiter.hit("k", 5).allowed()).isFalse();
  }

  @Test
  void a_refund_that_comes_late_gives_back_nothing_that_has_leaked_since() throws Exception {
    ManualTime time = ManualTime.create();
    StallingTime stalling = StallingTime.of(time);
    RateLimiter limiter = RateLimiter.of(store(stalling), Limit.parse("10/minute"));
    Decision charged = limiter.hit("k", 5);
    stalling.stallReading(
        1,
        () -> {
          time.advance(Duration.ofSeconds(70));
          limiter.hit("k", 8);
        });
    limiter.refund(charged);
    stalling.awaitMeanwhile();
    assertThat(limiter.get("k")).isEqualTo(8);
  }

  @TestFactory
  Stream<DynamicTest> a_set_that_comes_late_counts_from_when_it_is_carried_out() {
    return limits(10).stream()
        .filter(limit -> limit.kind() != Limit.Kind.FIXED_WINDOW)
        .map(limit -> dynamicTest(limit.toString(), () -> setLate(limit)));
  }

  private static void setLate(Limit limit) throws Exception {
    ManualTime time = ManualTime.create();
    StallingTime stalling = StallingTime.of(time);
    RateLimiter limiter = RateLimiter.of(store(stalling), limit);
    limiter.hit("k");
    stalling.stallReading(1, () -> time.advance(Duration.ofMillis(900)));
    limiter.set("k", 10);
    stalling.awaitMeanwhile();
    time.advance(Duration.ofMillis(50));
    assertThat(limiter.hit("k", 2).allowed()).as("50 ms after it was set to the limit").isFalse();
    time.advance(Duration.ofMillis(60));
    assertThat(limiter.get("k")).as("still in use 110 ms after").isGreaterThanOrEqualTo(8);
  }

  @Test
  void an_inc_that_comes_late_charges_all_of_it() throws Exception {
    ManualTime time = ManualTime.create();
    StallingTime stalling = StallingTime.of(time);
    RateLimiter limiter = RateLimiter.of(store(stalling), Limit.parse("10/minute"));
    limiter.hit("k");
    stalling.stallReading(
        1,
        () -> {
          time.advance(Duration.ofSeconds(59));
          limiter.hit("k", 9);
        });
    assertThat(limiter.inc("k", 10)).isEqualTo(19);
    stalling.awaitMeanwhile();
  }

  // ---- Two clocks that differ ----

  /** A wall clock that differs from the monotonic one by a fixed time. */
  private record Apart(ManualTime time, Duration ahead) implements TimeSource {

    @Override
    public long micros() {
      return time.micros();
    }

    @Override
    public long wall(long micros) {
      return micros + ahead.toNanos() / 1000;
    }

    @Override
    public void sleep(long micros) throws InterruptedException {
      time.sleep(micros);
    }

    @Override
    public CompletableFuture<Void> delay(long micros) {
      return time.delay(micros);
    }
  }

  @TestFactory
  Stream<DynamicTest> expired_rows_make_room_however_far_the_wall_clock_is_off() {
    return Stream.of(Duration.ofHours(-1), Duration.ZERO, Duration.ofHours(1))
        .flatMap(
            ahead ->
                limits(5).stream()
                    .map(
                        limit -> dynamicTest(limit + ", " + ahead, () -> makesRoom(limit, ahead))));
  }

  private static void makesRoom(Limit limit, Duration ahead) {
    ManualTime time = ManualTime.create();
    MemoryStore store =
        MemoryStore.builder()
            .time(new Apart(time, ahead))
            .maxKeys(20_000)
            .cleanPeriod(Duration.ZERO)
            .build();
    RateLimiter limiter = RateLimiter.of(store, limit);
    long denied = 0;
    long shared = 0;
    for (int i = 0; i < 300_000; i++) {
      if (i % 10_000 == 0) {
        time.advance(SECOND.plus(SECOND)); // all of before has expired
      }
      Decision decision = limiter.hit("k" + i);
      denied += decision.allowed() ? 0 : 1;
      shared += decision.shared() ? 1 : 0;
    }
    assertThat(denied).as("first hits that were denied").isZero();
    // A full store looks at some thousand rows for each new key, and may find none that has
    // expired.
    assertThat(shared).as("first hits that shared a cell").isLessThan(300);
    time.advance(SECOND.plus(SECOND));
    store.clean();
    assertThat(store.keys()).as("keys kept after all have expired").isZero();
  }

  @Test
  void rows_of_one_clock_are_not_judged_by_the_other() {
    ManualTime time = ManualTime.create();
    TimeSource apart = new Apart(time, Duration.ofHours(-1));
    MemoryStore store = store(apart);
    RateLimiter limiter = RateLimiter.of(store);
    KeyedLimit byWall = Limit.fixedWindow(5, Duration.ofMinutes(1)).on("k");
    KeyedLimit byTime = Limit.fixedWindowPerKey(5, Duration.ofMinutes(1)).on("k");
    limiter.hit(byWall.cost(5), byTime.cost(5));
    store.clean();
    assertThat(limiter.hit(byWall).allowed()).isFalse();
    assertThat(limiter.hit(byTime).allowed()).isFalse();
  }

  private static MemoryStore store(TimeSource time) {
    return MemoryStore.builder().time(time).cleanPeriod(Duration.ZERO).build();
  }
}
