package dev.stint.benchmarks.server;

import java.io.IOException;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.HdrHistogram.Histogram;

/**
 * Asks a server over several connections, by one thread.
 *
 * <p><i>Closed loop</i>: on every connection so many requests are always under way; an answer lets
 * the next one go. That finds how many a server can do. <i>Open loop</i>: requests have their
 * moments, whatever the server does, and each is timed from its moment, not from when it could be
 * sent: a server that stands still for a second is charged with all that should have been asked in
 * it.
 */
final class Generator implements AutoCloseable, Connection.Counter {

  private static final long MOST_NANOS = 60_000_000_000L;
  private static final long PATIENCE_NANOS = 10_000_000_000L;
  private static final long LOOK_AGAIN_MILLIS = 100;

  private final Selector selector = Selector.open();
  private final List<Connection> connections = new ArrayList<>();
  private final Histogram latencies = new Histogram(MOST_NANOS, 3);
  private long answered;
  private long refused;
  private int first;

  /**
   * Connects.
   *
   * @param depth how many requests a connection has under way at most
   * @param talks what is said on the connection of this number
   */
  Generator(int port, int connections, int depth, IntFunction<Talk> talks) throws IOException {
    try {
      for (int i = 0; i < connections; i++) {
        this.connections.add(new Connection(selector, port, talks.apply(i), depth, this));
      }
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Keeps all connections busy for so long. */
  Tally closed(long millis) throws IOException {
    long begin = System.nanoTime();
    long end = begin + millis * 1_000_000;
    long now = begin;
    for (Connection connection : connections) {
      refill(connection, now);
    }
    while (now < end) {
      int unused =
          selector.select(
              key -> {
                Connection connection = (Connection) key.attachment();
                run(() -> serve(connection));
              },
              LOOK_AGAIN_MILLIS);
      now = System.nanoTime();
    }
    return rest(begin, now);
  }

  /** Asks so many in all, as fast as they are answered. */
  Tally all(long requests) throws IOException {
    long begin = System.nanoTime();
    long left = requests;
    while (left > 0) {
      for (Connection connection : connections) {
        for (; left > 0 && connection.isFree(); left--) {
          connection.ask(System.nanoTime());
        }
        connection.flush();
      }
      int unused = selector.select(this::hear, LOOK_AGAIN_MILLIS);
    }
    drain();
    return new Tally(answered, refused, System.nanoTime() - begin, latencies);
  }

  /** Asks at this rate for so long. */
  Tally open(double perSecond, long millis) throws IOException {
    double interval = 1e9 / perSecond;
    long count = (long) (perSecond * millis / 1e3);
    long begin = System.nanoTime();
    for (long next = 0; next < count; ) {
      long now = System.nanoTime();
      for (long due = begin + (long) (next * interval); next < count && due <= now; ) {
        if (!ask(due)) {
          break; // it has to wait, and its time runs
        }
        next++;
        due = begin + (long) (next * interval);
      }
      // Sleeping would be late by more than what is measured; yielding leaves the processor to the
      // server.
      if (selector.selectNow(this::hear) == 0) {
        Thread.yield();
      }
    }
    return rest(begin, System.nanoTime());
  }

  private boolean ask(long when) throws IOException {
    for (int i = 0; i < connections.size(); i++) {
      Connection connection = connections.get(first);
      first = first + 1 == connections.size() ? 0 : first + 1;
      if (connection.isFree()) {
        connection.ask(when);
        connection.flush();
        return true;
      }
    }
    return false;
  }

  private Tally rest(long begin, long now) throws IOException {
    long inTime = answered;
    drain();
    return new Tally(inTime, refused, now - begin, latencies);
  }

  private void drain() throws IOException {
    long patience = System.nanoTime() + PATIENCE_NANOS;
    while (connections.stream().anyMatch(connection -> connection.underWay() > 0)) {
      if (System.nanoTime() > patience) {
        throw new IOException("every request must be answered: some were not within 10 s");
      }
      int unused = selector.select(this::hear, LOOK_AGAIN_MILLIS);
    }
  }

  private void serve(Connection connection) throws IOException {
    connection.hear();
    refill(connection, System.nanoTime());
  }

  private static void refill(Connection connection, long now) throws IOException {
    while (connection.isFree()) {
      connection.ask(now);
    }
    connection.flush();
  }

  private void hear(java.nio.channels.SelectionKey key) {
    Connection connection = (Connection) key.attachment();
    run(
        () -> {
          connection.hear();
          connection.flush();
        });
  }

  /** Something that may fail where the selector's callbacks may not. */
  private interface Step {
    void run() throws IOException;
  }

  private static void run(Step step) {
    try {
      step.run();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Override
  public void answered(long begun, boolean allowed) {
    answered++;
    refused += allowed ? 0 : 1;
    latencies.recordValue(Math.min(System.nanoTime() - begun, MOST_NANOS));
  }

  @Override
  public void close() throws IOException {
    for (Connection connection : connections) {
      connection.close();
    }
    selector.close();
  }
}
