package dev.stint.redis;

import dev.stint.Decision;
import dev.stint.promises.Stalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Callers that ask at a moderate rate until they are told to stop, and remember every answer. */
final class Load implements AutoCloseable {

  /** One answer, with the number of the question and when it was asked and answered. */
  record Sample(long number, long start, long end, Decision decision) {

    boolean allowed() {
      return decision.allowed();
    }

    boolean degraded() {
      return decision.degraded();
    }
  }

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final LongFunction<Decision> question;
  private final long pause;
  private final AtomicLong asked = new AtomicLong();
  private final Queue<Sample> samples = new ConcurrentLinkedQueue<>();
  private final Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean over;

  private Load(LongFunction<Decision> question, Duration pause) {
    this.question = question;
    this.pause = pause.toNanos();
  }

  /** Starts so many callers, each with a pause after each question; questions are numbered. */
  static Load of(int callers, Duration pause, LongFunction<Decision> question) {
    Load load = new Load(question, pause);
    for (int i = 0; i < callers; i++) {
      Thread thread = new Thread(load::ask, "caller " + i);
      thread.setDaemon(true);
      load.threads.add(thread);
      thread.start();
    }
    return load;
  }

  private void ask() {
    while (!over) {
      long number = asked.getAndIncrement();
      long start = System.nanoTime();
      try {
        Decision decision = question.apply(number);
        samples.add(new Sample(number, start, System.nanoTime(), decision));
      } catch (RuntimeException | Error e) {
        thrown.add(e);
      }
      LockSupport.parkNanos(pause);
    }
  }

  /** Ends the callers. */
  @Override
  public void close() {
    over = true;
    for (Thread thread : threads) {
      try {
        thread.join(PATIENCE.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while ending the callers", e);
      }
      if (thread.isAlive()) {
        throw new AssertionError("every call must end; one still waits after " + PATIENCE);
      }
    }
  }

  List<Sample> samples() {
    return List.copyOf(samples);
  }

  Stream<Sample> between(long from, long to) {
    return samples.stream().filter(sample -> sample.start >= from && sample.end <= to);
  }

  /** The time that so many percent of these answers did not exceed, net of stalls. */
  static Duration percentile(double percent, List<Sample> samples, Stalls stalls) {
    long[] sorted =
        samples.stream().mapToLong(one -> stalls.net(one.start, one.end)).sorted().toArray();
    int at = (int) Math.ceil(sorted.length * percent / 100) - 1;
    return Duration.ofNanos(sorted.length == 0 ? 0 : sorted[at]);
  }

  /** What was thrown to callers. */
  List<Throwable> thrown() {
    return List.copyOf(thrown);
  }

  /** Waits for such an answer to a question that is asked from now on. */
  Duration await(Duration limit, String what, Predicate<Sample> wanted) {
    long from = System.nanoTime();
    return Eventually.within(
        limit, what, () -> samples.stream().anyMatch(one -> one.start >= from && wanted.test(one)));
  }
}
