package dev.stint.server.net;

import io.vertx.core.Context;
import io.vertx.core.internal.ContextInternal;
import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets the connections of one event loop take turns, by time.
 *
 * <p>A request runs at once, unless its connection has held the event loop for {@value #SLICE} ns
 * already: then it waits until others have been read. Large requests come in pieces, of which each
 * waits for its turn. Work that waits runs after the sockets were read, at most {@value #ROUND} ns
 * at a time, and {@value #QUANTUM} ns of one connection before the next one's: so the cost of a
 * request is weighed by the time that it takes, and is paid by its connection.
 */
public final class FairTurns {

  private static final long SLICE = 1_000_000;
  private static final long ROUND = 1_000_000;
  private static final long QUANTUM = 250_000;

  /** A longer pause than decoding the next request takes: the event loop did something else. */
  private static final long PAUSE = 50_000;

  private final LongSupplier nanos;
  private final Consumer<Runnable> afterSockets;
  private final Consumer<Throwable> failures;
  private final IdentityHashMap<Object, Turn> waiting = new IdentityHashMap<>();
  private final Queue<Turn> ring = new ArrayDeque<>();
  private boolean scheduled;

  private @Nullable Object current;
  private long began;
  private long ended;

  /** The work of one connection that waits. */
  private static final class Turn {
    private @Nullable Object connection;
    private final Queue<Runnable> work = new ArrayDeque<>();

    Turn(Object connection) {
      this.connection = connection;
    }
  }

  /** Turns on this event loop. */
  public FairTurns(Context loop) {
    this((ContextInternal) loop);
  }

  /**
   * A timer runs after sockets were read, even if it is due at once. A task would run together with
   * all others, and before any socket is read again.
   */
  private FairTurns(ContextInternal loop) {
    this(
        System::nanoTime,
        round -> {
          var unused =
              loop.nettyEventLoop()
                  .schedule(() -> loop.emit(null, timer -> round.run()), 0, TimeUnit.NANOSECONDS);
        },
        loop::reportException);
  }

  FairTurns(LongSupplier nanos, Consumer<Runnable> afterSockets, Consumer<Throwable> failures) {
    this.nanos = nanos;
    this.afterSockets = afterSockets;
    this.failures = failures;
  }

  /** Runs a request of this connection: now, or when its turn comes. */
  public void run(Object connection, Runnable work) {
    long now = nanos.getAsLong();
    if (connection != current || now - ended > PAUSE) {
      current = connection;
      began = now;
    }
    if (now - began > SLICE || waiting.containsKey(connection)) {
      later(connection, work);
      return;
    }
    work.run();
    ended = nanos.getAsLong();
  }

  /** Runs a piece of work of this connection when its turn comes. */
  public void later(Object connection, Runnable work) {
    Turn turn = waiting.get(connection);
    if (turn == null) {
      turn = new Turn(connection);
      waiting.put(connection, turn);
      ring.add(turn);
    }
    turn.work.add(work);
    schedule();
  }

  /** Forgets the work of a connection that is gone, with all that the work would keep in memory. */
  public void drop(Object connection) {
    Turn turn = waiting.remove(connection);
    if (turn != null) {
      turn.connection = null;
      turn.work.clear();
    }
    if (current == connection) {
      current = null;
    }
  }

  private void schedule() {
    if (!scheduled) {
      scheduled = true;
      afterSockets.accept(this::round);
    }
  }

  private void round() {
    scheduled = false;
    long begin = nanos.getAsLong();
    long now = begin;
    while (now - begin < ROUND) {
      Turn turn = ring.poll();
      if (turn == null) {
        break;
      }
      now = run(turn, now);
    }
    current = null;
    if (!ring.isEmpty()) {
      schedule();
    }
  }

  private long run(Turn turn, long begin) {
    long now = begin;
    while (now - begin < QUANTUM) {
      Runnable work = turn.work.poll();
      if (work == null) {
        break;
      }
      try {
        work.run();
      } catch (RuntimeException e) { // of one connection; the others' work goes on
        failures.accept(e);
      }
      now = nanos.getAsLong();
    }
    if (turn.work.isEmpty()) {
      if (turn.connection != null) {
        waiting.remove(turn.connection);
      }
    } else {
      ring.add(turn);
    }
    return now;
  }

  /** How many connections have work that waits. */
  int waiting() {
    return waiting.size();
  }
}
