package dev.stint.server.attack;

import dev.stint.server.ordeal.Stalls;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * Clients that behave, on every wire: one with a connection that it keeps, and one that comes with
 * a new connection each time.
 */
final class PoliteClients implements AutoCloseable {

  private static final long KEPT_PAUSE = 20_000_000;
  private static final long NEW_PAUSE = 100_000_000;
  private static final long SCRAPE_PAUSE = 250_000_000;

  /** One request. */
  record Sample(String client, long start, long end) {}

  /** What went wrong, and when. */
  record Failure(String client, long at, String what) {}

  private final Queue<Sample> samples = new ConcurrentLinkedQueue<>();
  private final Queue<Failure> failures = new ConcurrentLinkedQueue<>();
  private final List<Thread> threads = new ArrayList<>();
  private final Target target;
  private volatile boolean over;

  private PoliteClients(Target target) {
    this.target = target;
  }

  static PoliteClients of(Target target) {
    PoliteClients clients = new PoliteClients(target);
    PoliteConnection.KINDS.forEach(
        (kind, opener) -> {
          boolean scrape = kind.equals("scrape");
          clients.start(() -> clients.keep(kind, opener, scrape ? SCRAPE_PAUSE : KEPT_PAUSE));
          clients.start(
              () -> clients.comeAnew("new " + kind, opener, scrape ? SCRAPE_PAUSE : NEW_PAUSE));
        });
    return clients;
  }

  private void start(Runnable client) {
    Thread thread = new Thread(client, "polite client");
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
  }

  private void keep(String name, PoliteConnection.Opener opener, long pause) {
    while (!over) {
      try (PoliteConnection connection = opener.open(target)) {
        while (!over) {
          timed(name, connection::ask);
          LockSupport.parkNanos(pause);
        }
      } catch (IOException e) {
        failed(name, e, pause);
      }
    }
  }

  private void comeAnew(String name, PoliteConnection.Opener opener, long pause) {
    while (!over) {
      try {
        timed(
            name,
            () -> {
              try (PoliteConnection connection = opener.open(target)) {
                connection.ask();
              }
            });
        LockSupport.parkNanos(pause);
      } catch (IOException e) {
        failed(name, e, pause);
      }
    }
  }

  private interface Request {
    void send() throws IOException;
  }

  private void timed(String name, Request request) throws IOException {
    long start = System.nanoTime();
    request.send();
    samples.add(new Sample(name, start, System.nanoTime()));
  }

  private void failed(String name, IOException e, long pause) {
    failures.add(new Failure(name, System.nanoTime(), e.toString()));
    LockSupport.parkNanos(pause);
  }

  /** The failures from this moment on. */
  List<Failure> failuresSince(long from) {
    return failures.stream().filter(failure -> failure.at - from >= 0).toList();
  }

  /** The requests that began from {@code from} on, by client. */
  Map<String, List<Sample>> since(long from) {
    Map<String, List<Sample>> found = new TreeMap<>();
    for (Sample sample : samples) {
      if (sample.start - from >= 0) {
        found.computeIfAbsent(sample.client, name -> new ArrayList<>()).add(sample);
      }
    }
    return found;
  }

  /** The time in nanoseconds that 99 % of these did not exceed, less the machine's own stalls. */
  static long p99(List<Sample> samples, Stalls stalls) {
    return percentile(
        samples.stream().mapToLong(one -> stalls.net(one.start(), one.end())).sorted().toArray());
  }

  /** The same with the stalls in it. */
  static long grossP99(List<Sample> samples) {
    return percentile(samples.stream().mapToLong(one -> one.end - one.start).sorted().toArray());
  }

  private static long percentile(long[] sorted) {
    return sorted.length == 0 ? 0 : sorted[(int) Math.ceil(sorted.length * 0.99) - 1];
  }

  /** How many kinds of clients there are. */
  static int kinds() {
    return 2 * PoliteConnection.KINDS.size();
  }

  @Override
  public void close() throws InterruptedException {
    over = true;
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
