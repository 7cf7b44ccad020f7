package dev.stint.redis;

import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.algorithm.Operation;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Finds the way to a server, and finds out when one that was given up is well again.
 *
 * <p>A probe is a real hit in a place of its own, so a server that reads but cannot write does not
 * pass for well. After a bad probe the next comes later, up to {@value #LONGEST} ms; after a good
 * one soon, and {@value #GOOD} good ones in a row close the breaker.
 */
final class Prober {

  private static final int GOOD = 3;
  private static final long SHORTEST = 50;
  private static final long LONGEST = 500;
  private static final long BETWEEN_GOOD = 10;
  private static final KeyedLimit HIT =
      Limit.fixedWindow(1L << 50, Duration.ofSeconds(1)).named("probe").on("probe");

  private final Timer timer;
  private final PlaceNames names;
  private final Complaints complaints;
  private final Duration patience;
  private @Nullable Courier courier;

  Prober(Timer timer, PlaceNames names, Complaints complaints, Duration patience) {
    this.timer = timer;
    this.names = names;
    this.complaints = complaints;
    this.patience = patience;
  }

  /** Says who carries the probes. The courier needs the breakers, and those need this. */
  void through(Courier carrier) {
    courier = carrier;
  }

  /** Finds the way to a server that is new, for which one good probe will do. */
  void start(Breaker breaker) {
    schedule(breaker, GOOD - 1, 0);
  }

  /** Starts probing for this breaker, which has just opened. */
  void opened(Breaker breaker) {
    complaints.givenUp(breaker.reason());
    schedule(breaker, 0, SHORTEST);
  }

  private void schedule(Breaker breaker, int good, long millis) {
    timer.afterMillis(
        millis,
        () -> {
          try {
            probe(breaker, good, millis);
          } catch (RuntimeException e) {
            schedule(breaker, 0, LONGEST); // whatever it was, a server is not given up for ever
          }
        });
  }

  private void probe(Breaker breaker, int good, long millis) {
    Courier carrier = courier;
    if (carrier == null) {
      return;
    }
    Question question = Question.at(names.probe(breaker.place()), Operation.HIT, HIT);
    Pending pending = carrier.probe(question, breaker, System.nanoTime() + patience.toNanos());
    timer.afterNanos(patience.toNanos(), pending::expire);
    CompletionStage<Answer> unused =
        pending.whenComplete(
            (answer, failure) -> {
              if (failure != null) {
                schedule(breaker, 0, Math.min(LONGEST, Math.max(SHORTEST, 2 * millis)));
              } else if (good + 1 < GOOD) {
                schedule(breaker, good + 1, BETWEEN_GOOD);
              } else {
                breaker.close();
              }
            });
  }
}
