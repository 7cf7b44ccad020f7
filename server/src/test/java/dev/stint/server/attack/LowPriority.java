package dev.stint.server.attack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Runs attackers at the lowest scheduling priority. They share two cores with the service here, and
 * would have cores of their own on a network: what they make the service do is the attack, not the
 * processor time that they take themselves.
 */
final class LowPriority {

  private static final Path SELF = Path.of("/proc/thread-self");
  private static final String LOWEST = "19";

  private LowPriority() {}

  /** Runs work on a thread of low priority; threads that it starts inherit the priority. */
  static <T> T call(Callable<T> work) throws Exception {
    FutureTask<T> task =
        new FutureTask<>(
            () -> {
              lower();
              return work.call();
            });
    Thread thread = new Thread(task, "attackers");
    thread.setDaemon(true);
    thread.start();
    try {
      return task.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  /** Only Linux has a priority for each thread, and only there it has to be asked for like this. */
  private static void lower() throws IOException, InterruptedException {
    if (!Files.exists(SELF)) {
      return;
    }
    String thread = Files.readSymbolicLink(SELF).getFileName().toString();
    Process renice =
        new ProcessBuilder("renice", "-n", LOWEST, "-p", thread)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (renice.waitFor() != 0) {
      throw new IllegalStateException("renice must lower the priority of thread " + thread);
    }
  }
}
