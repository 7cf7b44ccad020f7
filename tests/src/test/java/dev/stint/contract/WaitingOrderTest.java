package dev.stint.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.memory.MemoryStore;
import dev.stint.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the order of waiting calls is, and how long they wait. */
@Timeout(60)
class WaitingOrderTest {

  private static final Duration LONG = Duration.ofHours(1);
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final ManualTime time = ManualTime.create();
  private final MemoryStore store = MemoryStore.builder().time(time).build();
  private final RateLimiter limiter = RateLimiter.of(store);

  @AfterEach
  void nothing_waits_in_the_end() {
    assertThat(limiter.waiting()).isZero();
    assertThat(time.sleepers()).isZero();
    store.close();
  }

  /** A bucket that refills one unit a second, with nothing left. */
  private KeyedLimit spent(String key, long capacity) {
    KeyedLimit place = Limit.tokenBucket(capacity, Duration.ofSeconds(capacity)).on(key);
    assertThat(limiter.hit(place.cost(capacity)).allowed()).isTrue();
    return place;
  }

  @Test
  void those_behind_a_wait_that_is_too_long_for_them_are_refused_at_once() throws Exception {
    KeyedLimit place = spent("k", 10);
    CompletableFuture<Decision> first = limiter.acquireAsync(LONG, place.cost(8));
    Decision behind = limiter.acquire(Duration.ofSeconds(7), place);
    assertThat(behind.allowed()).isFalse();
    assertThat(behind.retryAfter()).isEqualTo(Duration.ofSeconds(8));
    assertThat(behind.charges()).isEmpty();
    CompletableFuture<Decision> inTime = limiter.acquireAsync(Duration.ofSeconds(9), place);
    time.advance(Duration.ofSeconds(8));
    assertThat(first.join().allowed()).isTrue();
    assertThat(inTime).isNotDone();
    time.advance(SECOND);
    assertThat(inTime.join().allowed()).isTrue();
  }

  /** The first in a line may wake up only to wait for another limit, behind an older call. */
  @Test
  void a_wait_behind_one_that_comes_to_stand_behind_another_ends_at_once() {
    KeyedLimit first = Limit.fixedWindowPerKey(1, Duration.ofSeconds(101)).on("first");
    KeyedLimit second = Limit.fixedWindowPerKey(1, Duration.ofSeconds(95)).on("second");
    KeyedLimit third = Limit.fixedWindowPerKey(1, Duration.ofSeconds(60)).on("third");
    limiter.hit(third);
    limiter.hit(first);
    CompletableFuture<Decision> oldest = limiter.acquireAsync(LONG, second, third);
    time.advance(SECOND);
    CompletableFuture<Decision> ahead = limiter.acquireAsync(LONG, first, second);
    time.advance(Duration.ofSeconds(54));
    limiter.hit(second); // until 150 s
    time.advance(Duration.ofSeconds(15));
    CompletableFuture<Decision> behind = limiter.acquireAsync(Duration.ofSeconds(50), first);
    time.advance(Duration.ofSeconds(31)); // at 101 s, and it would have to wait until 150 s
    assertThat(behind.join().allowed()).isFalse();
    time.advance(Duration.ofMinutes(5));
    assertThat(oldest.join().allowed()).isTrue();
    assertThat(ahead.join().allowed()).isTrue();
  }

  @Test
  void a_wait_that_grows_too_long_behind_another_ends_at_once() {
    KeyedLimit place = spent("k", 10);
    CompletableFuture<Decision> first = limiter.acquireAsync(LONG, place.cost(3));
    CompletableFuture<Decision> second = limiter.acquireAsync(Duration.ofSeconds(5), place);
    time.advance(Duration.ofSeconds(2));
    limiter.inc(place.amount(9));
    assertThat(second).isNotDone();
    time.advance(SECOND); // the first asks again, and has to wait for nine more
    assertThat(second.join().allowed()).isFalse();
    assertThat(second.join().retryAfter()).isEqualTo(Duration.ofSeconds(9));
    assertThat(limiter.waiting()).isEqualTo(1);
    first.cancel(true);
  }

  @Test
  void units_that_add_up_for_the_first_are_not_had_without_waiting() throws Exception {
    KeyedLimit place = spent("k", 10);
    CompletableFuture<Decision> first = limiter.acquireAsync(LONG, place.cost(8));
    time.advance(Duration.ofSeconds(5));
    Decision now = limiter.acquire(Duration.ZERO, place);
    assertThat(now.allowed()).isFalse();
    assertThat(now.remaining()).isEqualTo(5);
    assertThat(now.retryAfter()).isEqualTo(Duration.ofSeconds(3));
    time.advance(Duration.ofSeconds(3));
    assertThat(first.join().allowed()).isTrue();
  }

  @Test
  void a_cost_that_never_fits_is_refused_at_once_also_behind_others() throws Exception {
    KeyedLimit place = spent("k", 10);
    CompletableFuture<Decision> first = limiter.acquireAsync(LONG, place);
    assertThat(limiter.acquire(LONG, place.cost(11)).neverFits()).isTrue();
    first.cancel(true);
  }

  @Test
  void waiters_of_one_key_do_not_hold_up_another() throws Exception {
    KeyedLimit one = spent("one", 10);
    CompletableFuture<Decision> waiting = limiter.acquireAsync(LONG, one.cost(10));
    assertThat(limiter.acquire(Duration.ZERO, one.limit().on("two")).allowed()).isTrue();
    waiting.cancel(true);
  }

  @Test
  void a_user_over_its_own_limit_does_not_hold_up_others_at_a_shared_one() throws Exception {
    Limit shared = Limit.tokenBucket(100, SECOND);
    KeyedLimit mine = spent("mine", 10);
    CompletableFuture<Decision> waiting = limiter.acquireAsync(LONG, mine, shared.on("all"));
    KeyedLimit other = mine.limit().on("other");
    for (int i = 0; i < 10; i++) {
      assertThat(limiter.acquire(Duration.ZERO, other, shared.on("all")).allowed()).isTrue();
    }
    time.advance(SECOND);
    assertThat(waiting.join().allowed()).isTrue();
  }

  @Test
  void a_waiter_for_two_busy_limits_gets_in_beside_waiters_for_each() {
    KeyedLimit quick = Limit.tokenBucket(10, SECOND).on("quick");
    KeyedLimit slow = Limit.tokenBucket(4, Duration.ofSeconds(2)).on("slow");
    AtomicBoolean over = new AtomicBoolean();
    for (int i = 0; i < 8; i++) {
      acquireAgainAndAgain(over, quick);
      acquireAgainAndAgain(over, slow);
    }
    time.advance(Duration.ofSeconds(10));
    CompletableFuture<Decision> both = limiter.acquireAsync(LONG, quick.cost(5), slow);
    // Eight are ahead of it at the slow limit, which has two units a second.
    time.advance(Duration.ofSeconds(6));
    assertThat(both).isDone();
    over.set(true);
    time.advance(Duration.ofMinutes(1));
  }

  private void acquireAgainAndAgain(AtomicBoolean over, KeyedLimit place) {
    CompletableFuture<?> unused =
        limiter
            .acquireAsync(LONG, place)
            .thenAccept(
                decision -> {
                  if (!over.get()) {
                    acquireAgainAndAgain(over, place);
                  }
                });
  }

  @Test
  void waiters_that_want_the_same_limits_in_other_orders_do_not_block_each_other() {
    KeyedLimit a = spent("a", 3);
    KeyedLimit b = spent("b", 5);
    KeyedLimit c = spent("c", 7);
    List<CompletableFuture<Decision>> all =
        List.of(
            limiter.acquireAsync(LONG, a, b),
            limiter.acquireAsync(LONG, b, c),
            limiter.acquireAsync(LONG, c, a),
            limiter.acquireAsync(LONG, c, b, a),
            limiter.acquireAsync(LONG, b));
    time.advance(Duration.ofSeconds(20));
    assertThat(all).allMatch(one -> one.isDone() && one.join().allowed());
  }

  @Test
  void limits_that_only_watch_hold_nobody_up() throws Exception {
    KeyedLimit place = spent("k", 10);
    CompletableFuture<Decision> waiting = limiter.acquireAsync(LONG, place);
    KeyedLimit other = Limit.tokenBucket(1, SECOND).on("other");
    assertThat(limiter.acquire(Duration.ZERO, other, place.shadow()).allowed()).isTrue();
    waiting.cancel(true);
  }

  @Test
  void limiters_on_one_store_share_its_lines() {
    KeyedLimit place = spent("k", 10);
    CompletableFuture<Decision> first = limiter.acquireAsync(LONG, place.cost(5));
    RateLimiter another = RateLimiter.of(store, place.limit());
    CompletableFuture<Decision> second = another.acquireAsync("k", LONG);
    assertThat(another.waiting()).isEqualTo(2);
    time.advance(Duration.ofSeconds(5));
    assertThat(first).isDone();
    assertThat(second).isNotDone();
    time.advance(SECOND);
    assertThat(second).isDone();
  }

  @Test
  void a_long_line_moves_on_without_a_deep_stack() {
    KeyedLimit place = spent("k", 20_000);
    List<CompletableFuture<Decision>> all = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      all.add(limiter.acquireAsync(LONG, place));
    }
    limiter.reset(place); // the first asks after its wait, and then all get in at once
    time.advance(SECOND);
    assertThat(all).allMatch(one -> one.isDone() && one.join().allowed());
  }

  @Test
  void a_waiter_for_fifty_gets_in_beside_eight_for_one_by_the_machines_clock() throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    AtomicBoolean over = new AtomicBoolean();
    Limit limit = Limit.tokenBucket(200, SECOND).burst(50);
    try (RateLimiter real = RateLimiter.of(limit)) {
      List<Future<?>> steady = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        steady.add(
            threads.submit(
                () -> {
                  while (!over.get()) {
                    real.acquire("k", Duration.ofMinutes(1));
                  }
                  return null;
                }));
      }
      Thread.sleep(500);
      long begin = System.nanoTime();
      Decision decision = real.acquire("k", 50, Duration.ofMinutes(1));
      long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
      over.set(true);
      assertThat(decision.allowed()).isTrue();
      assertThat(took).as("ms for 50 units, which take 250 ms").isLessThan(750);
      for (Future<?> one : steady) {
        one.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void waiters_that_come_and_go_at_random_leave_neither_a_line_nor_a_charge() throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    Limit limit = Limit.tokenBucket(2000, SECOND).burst(20);
    AtomicLong admitted = new AtomicLong();
    try (MemoryStore machine = MemoryStore.create()) {
      RateLimiter real = RateLimiter.of(machine);
      Limit quota = Limit.quota(1_000_000);
      List<Future<?>> running = new ArrayList<>();
      for (int t = 0; t < 8; t++) {
        Random random = new Random(t);
        running.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < 150; i++) {
                    KeyedLimit a = limit.on("k" + random.nextInt(3)).cost(1 + random.nextInt(20));
                    KeyedLimit b = limit.on("k" + (3 + random.nextInt(2)));
                    KeyedLimit count = quota.on("admitted");
                    Duration timeout = Duration.ofMillis(random.nextInt(30));
                    CompletableFuture<Decision> one = real.acquireAsync(timeout, a, b, count);
                    Decision other = real.acquire(timeout, b, count);
                    admitted.addAndGet(other.allowed() ? 1 : 0);
                    if (random.nextBoolean()) {
                      one.cancel(true);
                    }
                    boolean in = one.handle((d, end) -> end == null && d.allowed()).join();
                    admitted.addAndGet(in ? 1 : 0);
                  }
                  return null;
                }));
      }
      for (Future<?> one : running) {
        one.get(50, TimeUnit.SECONDS);
      }
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
      while (real.get(quota.on("admitted")) != admitted.get() && System.nanoTime() < end) {
        Thread.sleep(5); // a charge may be on its way back
      }
      assertThat(admitted.get()).isPositive();
      assertThat(real.get(quota.on("admitted"))).isEqualTo(admitted.get());
      assertThat(real.waiting()).isZero();
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void what_follows_a_future_may_block_and_delays_no_other() throws Exception {
    Limit limit = Limit.tokenBucket(1, SECOND);
    CountDownLatch done = new CountDownLatch(1);
    try (RateLimiter real = RateLimiter.of(limit)) {
      List<CompletableFuture<Void>> blocked = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        String key = "k" + i;
        real.hit(key);
        blocked.add(real.acquireAsync(key, LONG).thenAccept(decision -> await(done)));
      }
      real.hit("free");
      Decision decision = real.acquireAsync("free", LONG).get(30, TimeUnit.SECONDS);
      assertThat(decision.allowed()).isTrue();
      done.countDown();
      CompletableFuture.allOf(blocked.toArray(CompletableFuture<?>[]::new))
          .get(30, TimeUnit.SECONDS);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void futures_that_waited_complete_on_the_executor_that_was_chosen() throws Exception {
    KeyedLimit place = spent("k", 10);
    ExecutorService chosen = Executors.newSingleThreadExecutor(task -> new Thread(task, "chosen"));
    try {
      AtomicReference<String> thread = new AtomicReference<>();
      CompletableFuture<Void> waiting =
          limiter
              .completingOn(chosen)
              .acquireAsync(LONG, place)
              .thenAccept(decision -> thread.set(Thread.currentThread().getName()));
      time.advance(SECOND);
      waiting.get(30, TimeUnit.SECONDS);
      assertThat(thread).hasValue("chosen");
      chosen.shutdown();
      CompletableFuture<Decision> rejected = limiter.completingOn(chosen).acquireAsync(LONG, place);
      time.advance(SECOND);
      assertThat(rejected.get(30, TimeUnit.SECONDS).allowed()).isTrue();
    } finally {
      chosen.shutdownNow();
    }
  }
}
