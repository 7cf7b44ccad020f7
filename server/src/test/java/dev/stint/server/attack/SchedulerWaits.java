package dev.stint.server.attack;

import dev.stint.server.ordeal.Stalls;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * How long the event loops of a service were ready to run and got no core, by the kernel's own
 * account. An idle control is woken at once on a machine that is busy with other work; an event
 * loop with much to do is not.
 */
final class SchedulerWaits implements AutoCloseable {

  private static final long PAUSE = 3_000_000;

  /** The kernel keeps the first 15 characters of a thread's name. */
  private static final String EVENT_LOOP = "vert.x-eventloo";

  private final Stalls stalls;
  private final Map<Path, Long> waited = new HashMap<>();
  private final Thread thread;
  private volatile boolean over;

  private SchedulerWaits(long pid, Stalls stalls) throws IOException {
    this.stalls = stalls;
    try (DirectoryStream<Path> tasks =
        Files.newDirectoryStream(Path.of("/proc", String.valueOf(pid), "task"))) {
      for (Path task : tasks) {
        if (Files.readString(task.resolve("comm")).startsWith(EVENT_LOOP)) {
          waited.put(task.resolve("schedstat"), waited(task.resolve("schedstat")));
        }
      }
    }
    this.thread = new Thread(this::watch, "scheduler control");
    thread.setDaemon(true);
    thread.start();
  }

  /** Tells the stalls of a process to {@code stalls}, until it is closed. */
  static SchedulerWaits watch(long pid, Stalls stalls) throws IOException {
    return new SchedulerWaits(pid, stalls);
  }

  private static long waited(Path schedstat) throws IOException {
    return Long.parseLong(Files.readString(schedstat).split(" ", -1)[1]);
  }

  private void watch() {
    try {
      while (!over) {
        LockSupport.parkNanos(PAUSE);
        for (Map.Entry<Path, Long> task : waited.entrySet()) {
          long now = waited(task.getKey());
          long more = now - task.getValue();
          if (more > 0) {
            long moment = System.nanoTime();
            stalls.add(moment - more, moment);
            task.setValue(now);
          }
        }
      }
    } catch (IOException e) {
      // the process has ended
    }
  }

  @Override
  public void close() throws InterruptedException {
    over = true;
    thread.join();
  }
}
