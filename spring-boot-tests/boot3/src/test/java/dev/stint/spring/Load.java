package dev.stint.spring;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A few clients that ask for the same paths over and over, until it is closed. */
final class Load implements AutoCloseable {

  private static final int CLIENTS = 4;

  private final Map<Integer, AtomicInteger> answers = new ConcurrentHashMap<>();
  private final ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
  private final List<Future<?>> runs = new ArrayList<>();
  private volatile boolean stopped;

  Load(RunningApp app, String... paths) {
    for (int i = 0; i < CLIENTS; i++) {
      runs.add(clients.submit(() -> ask(app, paths)));
    }
  }

  private Void ask(RunningApp app, String... paths) throws Exception {
    while (!stopped) {
      for (String path : paths) {
        int status = app.get(path, "X-Client", "load").statusCode();
        answers.computeIfAbsent(status, code -> new AtomicInteger()).incrementAndGet();
      }
    }
    return null;
  }

  /** How many answers there were by now. */
  int answers() {
    return answers.values().stream().mapToInt(AtomicInteger::get).sum();
  }

  /** Stops, and tells which statuses there were; fails if a request had no answer at all. */
  List<Integer> statuses() throws Exception {
    stopped = true;
    for (Future<?> run : runs) {
      run.get(1, TimeUnit.MINUTES);
    }
    return answers.keySet().stream().sorted().toList();
  }

  @Override
  public void close() {
    stopped = true;
    clients.shutdownNow();
  }
}
