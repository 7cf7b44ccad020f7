package dev.stint.redis;

import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.algorithm.Operation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Finds the way to a server, finds out when one that was given up is well again, and whether one is
 * well that takes long over a large call.
 *
 * <p>A probe is a real hit in a place of its own, so a server that reads but cannot write does not
 * pass for well. After a bad probe the next comes later, up to {@value #LONGEST} ms; after a good
 * one soon, and {@value #GOOD} good ones in a row close the breaker.
 */
final class Prober implements Timer.Task {

  private static final int GOOD = 3;
  private static final long SHORTEST = 50;
  private static final long LONGEST = 500;
  private static final long BETWEEN_GOOD = 10;
  private static final long BETWEEN_CHECKS = 10;
  private static final KeyedLimit HIT =
      Limit.fixedWindow(1L << 50, Duration.ofSeconds(1)).named("probe").on("probe");

  private final Timer timer;
  private final PlaceNames names;
  private final Complaints complaints;
  private final List<Patient> patients = new CopyOnWriteArrayList<>();
  private volatile @Nullable CommandDispatcher dispatcher;

  Prober(Timer timer, PlaceNames names, Complaints complaints) {
    this.timer = timer;
    this.names = names;
    this.complaints = complaints;
    timer.add(this);
  }

  /** Says who sends the probes. The dispatcher needs the breakers, and those need this. */
  void through(CommandDispatcher sender) {
    dispatcher = sender;
    timer.wake();
  }

  /** Finds the way to a server that is new, for which one good probe will do. */
  void start(Breaker breaker) {
    patients.add(new Patient(breaker));
    timer.wake();
  }

  /** Starts probing for this breaker, which has just opened. */
  void opened(Breaker breaker) {
    for (Patient patient : patients) {
      if (patient.breaker == breaker) {
        patient.opened = true;
      }
    }
    timer.wake();
    complaints.givenUp(breaker.reason());
  }

  /** Has probes sent until one comes back well; those that do not count against the server. */
  void check(Breaker breaker) {
    for (Patient patient : patients) {
      if (patient.breaker == breaker && !patient.checkWanted) {
        patient.checkWanted = true;
        timer.wake();
      }
    }
  }

  @Override
  public long look(long now) {
    CommandDispatcher sender = dispatcher;
    long pause = Timer.NEVER;
    if (sender != null) {
      for (Patient patient : patients) {
        pause = Math.min(pause, patient.look(sender, now));
      }
    }
    return pause;
  }

  /** What is known of one server. All but the two flags belongs to the timer's thread. */
  private final class Patient {

    private final Breaker breaker;
    private volatile boolean opened;
    private volatile boolean checkWanted;
    private int good = GOOD - 1;
    private long pauseMillis;
    private long next = System.nanoTime();
    private @Nullable PendingCall probe;

    Patient(Breaker breaker) {
      this.breaker = breaker;
    }

    long look(CommandDispatcher sender, long now) {
      if (opened) {
        opened = false;
        good = 0;
        in(SHORTEST, now);
      }
      PendingCall current = probe;
      if (current != null) {
        if (!current.isDone()) {
          // The end of a probe wakes the timer, and the deadline queue ends it in time.
          return Math.max(BETWEEN_GOOD * 1_000_000, current.deadline() - now);
        }
        probe = null;
        examine(!current.result().isCompletedExceptionally(), now);
      }
      if (breaker.reason() == null && !checkWanted) {
        return Timer.NEVER;
      }
      if (next - now > 0) {
        return next - now;
      }
      next = now + TimeUnit.MILLISECONDS.toNanos(LONGEST); // should what follows fail
      checkWanted = false;
      PendingCall sent =
          sender.probe(Question.at(names.probe(breaker.place()), Operation.HIT, HIT), breaker);
      probe = sent;
      CompletionStage<Answer> unused =
          sent.result().whenComplete((answer, failure) -> timer.wake());
      return TimeUnit.MILLISECONDS.toNanos(SHORTEST);
    }

    private void examine(boolean well, long now) {
      if (breaker.reason() == null) {
        checkWanted |= !well; // once in doubt, until it is known
        in(BETWEEN_CHECKS, now);
      } else if (!well) {
        good = 0;
        in(Math.min(LONGEST, Math.max(SHORTEST, 2 * pauseMillis)), now);
      } else if (++good < GOOD) {
        in(BETWEEN_GOOD, now);
      } else {
        good = 0;
        breaker.close();
      }
    }

    private void in(long millis, long now) {
      pauseMillis = millis;
      next = now + TimeUnit.MILLISECONDS.toNanos(millis);
    }
  }
}
