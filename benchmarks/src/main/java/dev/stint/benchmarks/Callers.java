package dev.stint.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Those who ask a limiter in Redis for a while, each as fast as the answers come. */
final class Callers {

  /** What came of one round. */
  record Tally(long asked, long refused, long nanos) {

    double perSecond() {
      return asked / (nanos / 1e9);
    }
  }

  private static final int PREPARING = 64;

  private final RedisSubject subject;
  private final RedisScenario scenario;
  private final String[] keys;

  private final LongAdder asked = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final CountDownLatch start = new CountDownLatch(1);
  private final CountDownLatch trouble = new CountDownLatch(1);
  private volatile boolean over;

  private Callers(RedisSubject subject, RedisScenario scenario, String[] keys) {
    this.subject = subject;
    this.scenario = scenario;
    this.keys = keys;
  }

  /** Gives every key the state that the scenario's hits are to find. */
  static void prepare(RedisSubject subject, RedisScenario scenario) throws InterruptedException {
    boolean exhausted = scenario.answers() == Answers.REFUSED;
    Windowed.run(
        scenario.keys(),
        PREPARING,
        i -> exhausted ? subject.exhaust(scenario.key(i)) : subject.insert(scenario.key(i)));
  }

  /** Asks for so long, and checks that the answers are the scenario's. */
  static Tally ask(RedisSubject subject, RedisScenario scenario, long millis)
      throws InterruptedException {
    String[] keys = new String[scenario.keys()];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = scenario.key(i);
    }
    Tally tally = new Callers(subject, scenario, keys).run(millis);
    scenario.answers().check(tally.refused(), tally.asked());
    return tally;
  }

  private Tally run(long millis) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    int count = scenario.isAsync() ? scenario.drivers() : scenario.callers();
    for (int i = 0; i < count; i++) {
      SplittableRandom random = new SplittableRandom(i);
      threads.add(new Thread(() -> turn(random), "caller-" + i));
    }
    threads.forEach(Thread::start);
    long begin = System.nanoTime();
    start.countDown();
    boolean unused = trouble.await(millis, TimeUnit.MILLISECONDS);
    over = true;
    for (Thread thread : threads) {
      thread.join();
    }
    long nanos = System.nanoTime() - begin;
    Throwable failed = failure.get();
    if (failed != null) {
      throw new IllegalStateException("every hit must be answered in " + scenario.id(), failed);
    }
    return new Tally(asked.sum(), refused.sum(), nanos);
  }

  private void turn(SplittableRandom random) {
    try {
      start.await();
      if (scenario.isAsync()) {
        askAhead(random, scenario.callers() / scenario.drivers());
      } else {
        askAndWait(random);
      }
    } catch (InterruptedException | RuntimeException e) {
      failed(e);
    }
  }

  private void askAndWait(SplittableRandom random) {
    while (!over) {
      count(subject.hit(keys[random.nextInt(keys.length)]));
    }
  }

  private void askAhead(SplittableRandom random, int most) throws InterruptedException {
    Semaphore free = new Semaphore(most);
    while (!over) {
      free.acquire();
      CompletionStage<Boolean> unused =
          subject
              .hitAsync(keys[random.nextInt(keys.length)])
              .whenComplete(
                  (allowed, failed) -> {
                    if (failed != null) {
                      failed(failed);
                    } else {
                      count(allowed);
                    }
                    free.release();
                  });
    }
    free.acquire(most);
  }

  private void count(boolean allowed) {
    asked.increment();
    if (!allowed) {
      refused.increment();
    }
  }

  private void failed(Throwable e) {
    failure.compareAndSet(null, e);
    trouble.countDown();
  }
}
