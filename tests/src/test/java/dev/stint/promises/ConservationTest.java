package dev.stint.promises;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.TimeSource;
import dev.stint.memory.MemoryStore;
import dev.stint.testkit.ManualTime;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Whatever many threads do to a few keys at once, alone and jointly, each key is charged exactly
 * what its callers were told: nothing is lost, and a refused call charges nothing anywhere.
 *
 * <p>{@code -Dstint.conservation.operations=n} says how many operations to make, {@code
 * -Dstint.seed=n} where the random calls begin.
 */
class ConservationTest {

  private static final int THREADS = 64;

  /** So many at a time on one store; the next ones have a new store. */
  private static final long ROUND = 200_000;

  private static final long OPERATIONS = Long.getLong("stint.conservation.operations", ROUND);

  private static final Duration SLOWEST_CALL = Duration.ofSeconds(2);

  /** A round that takes longer than this never ends. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** So long that nothing expires; and the next window of the clock begins in the year 2069. */
  private static final Duration AGE = Duration.ofDays(50 * 365);

  private static final Duration HALF_A_DAY = Duration.ofHours(12);

  private static final List<String> KEYS = IntStream.range(0, 8).mapToObj(i -> "key-" + i).toList();

  private long hits;
  private long refused;
  private long refunds;
  private long longest;
  private long checked;

  @Test
  void every_unit_that_callers_were_told_of_is_counted_and_no_other() throws Exception {
    List<Limit> limits =
        List.of(
            Limit.fixedWindow(1_000_000_000, AGE),
            Limit.fixedWindowPerKey(1_000_000_000, HALF_A_DAY),
            Limit.slidingLog(1_000_000, HALF_A_DAY),
            Limit.slidingCounter(1_000_000_000, HALF_A_DAY),
            Limit.tokenBucket(1_000_000_000, HALF_A_DAY),
            Limit.leakyBucket(1_000_000, HALF_A_DAY).burst(1_000_000_000),
            Limit.quota(1_000_000_000));
    runAll(TimeSource.system(), limits, true);
    report("generous limits");
    assertThat(refused).isZero();
  }

  @Test
  void a_refused_call_charges_nothing_anywhere_on_the_system_clock() throws Exception {
    runAll(TimeSource.system(), tightLimits(), false);
    report("tight limits on the system clock");
    assertThat(100 * refused / hits).as("per cent of hits refused").isBetween(10L, 90L);
  }

  @Test
  void a_refused_call_charges_nothing_anywhere_while_the_clock_stands_still() throws Exception {
    runAll(ManualTime.create(), tightLimits(), false);
    report("tight limits on a clock that stands still");
    assertThat(100 * refused / hits).as("per cent of hits refused").isBetween(10L, 90L);
  }

  private static List<Limit> tightLimits() {
    return List.of(
        Limit.fixedWindow(40, AGE),
        Limit.fixedWindowPerKey(40, AGE),
        Limit.slidingLog(40, AGE),
        Limit.slidingCounter(40, AGE),
        Limit.tokenBucket(40, AGE),
        Limit.leakyBucket(40, AGE),
        Limit.quota(40));
  }

  private void runAll(TimeSource time, List<Limit> limits, boolean increments) throws Exception {
    long seed = Long.getLong("stint.seed", new SplittableRandom().nextLong(1_000_000_000_000L));
    System.out.println("Conservation: from seed " + seed);
    for (long done = 0; done < OPERATIONS; done += ROUND) {
      try (MemoryStore store =
          MemoryStore.builder().time(time).cleanPeriod(Duration.ofMillis(10)).build()) {
        RateLimiter limiter = RateLimiter.of(store, limits.toArray(Limit[]::new));
        round(limiter, time, limits, increments, Math.min(ROUND, OPERATIONS - done), seed + done);
      }
    }
  }

  private void round(
      RateLimiter limiter,
      TimeSource time,
      List<Limit> limits,
      boolean increments,
      long operations,
      long seed)
      throws Exception {
    Ledger ledger = new Ledger();
    List<Account> accounts = new ArrayList<>();
    for (Limit limit : limits) {
      for (String key : KEYS) {
        accounts.add(Account.open(limiter, time, new Ledger.Place(limit, key), increments, ledger));
      }
    }
    Stalls stalls = Stalls.watch();
    List<RandomCaller> callers = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      callers.add(
          new RandomCaller(
              limiter,
              limits,
              KEYS,
              increments,
              (operations + THREADS - 1) / THREADS,
              SLOWEST_CALL.toNanos(),
              seed * THREADS + i));
    }
    ExecutorService pool =
        Executors.newFixedThreadPool(
            THREADS,
            task -> {
              Thread thread = new Thread(task, "caller");
              thread.setDaemon(true);
              return thread;
            });
    try {
      for (Future<RandomCaller> one : callers.stream().map(pool::submit).toList()) {
        ledger.addAll(one.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).ledger());
      }
    } finally {
      pool.shutdownNow();
      stalls.close();
    }
    for (RandomCaller caller : callers) {
      hits += caller.hits();
      refused += caller.refused();
      refunds += caller.refunds();
      longest = Math.max(longest, caller.longest());
      for (RandomCaller.SlowCall call : caller.slowCalls()) {
        assertThat(Duration.ofNanos(stalls.net(call.start(), call.end())))
            .as("a call, net of the machine's stalls")
            .isLessThanOrEqualTo(SLOWEST_CALL);
      }
    }
    for (Account account : accounts) {
      account.check(limiter, time, ledger);
      checked++;
    }
  }

  /**
   * One limit on one key. A bucket that leaks is given so much to begin with that it never runs
   * empty, because only then is what has leaked known: its rate times the time since.
   *
   * @param openedBefore a moment before that was charged
   * @param openedAfter a moment after it
   */
  private record Account(Ledger.Place place, long openedBefore, long openedAfter) {

    private static final long RESERVE = 100_000_000;

    static Account open(
        RateLimiter limiter,
        TimeSource time,
        Ledger.Place place,
        boolean withReserve,
        Ledger ledger) {
      long before = time.micros();
      if (withReserve && place.limit().kind().isBucket()) {
        limiter.inc(place.limit().on(place.key()).cost(RESERVE));
        ledger.add(place, RESERVE);
      }
      return new Account(place, before, time.micros());
    }

    void check(RateLimiter limiter, TimeSource time, Ledger ledger) {
      long charged = ledger.charged(place);
      long before = time.micros();
      long used = limiter.get(place.limit().on(place.key()));
      long after = time.micros();
      if (place.limit().kind().isBucket()) {
        assertThat(used)
            .as("%s: charged %d, less what has leaked", place, charged)
            .isBetween(
                left(charged, after - openedBefore),
                left(charged, Math.max(0, before - openedAfter)));
      } else {
        assertThat(used).as("%s: charged %d", place, charged).isEqualTo(charged);
      }
    }

    /** What is left of so many units after so many microseconds, rounded up. */
    private long left(long charged, long micros) {
      BigInteger window = BigInteger.valueOf(place.limit().window().toNanos() / 1_000);
      BigInteger leaked =
          BigInteger.valueOf(place.limit().amount()).multiply(BigInteger.valueOf(micros));
      return charged - leaked.divide(window).longValueExact();
    }
  }

  private void report(String what) {
    System.out.printf(
        "Conservation: %s; %,d operations by %d threads, %,d hits, %d %% refused, %,d refunds;"
            + " %,d counts exact; longest call %.1f ms%n",
        what, OPERATIONS, THREADS, hits, 100 * refused / hits, refunds, checked, longest / 1e6);
  }
}
