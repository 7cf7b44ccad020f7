package dev.stint.studio.trial;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Does several things at once, on so many threads, and is back when all are done. */
final class Threads implements AutoCloseable {

  private final @Nullable ExecutorService others;

  /** So many threads, the caller's among them. */
  Threads(int threads) {
    others =
        threads == 1
            ? null
            : Executors.newFixedThreadPool(
                threads - 1,
                task -> {
                  Thread thread = new Thread(task, "tries limits");
                  thread.setDaemon(true);
                  return thread;
                });
  }

  /** Does them all; the last one on the caller's thread. */
  void run(List<Runnable> tasks) {
    if (others == null) {
      tasks.forEach(Runnable::run);
      return;
    }
    List<CompletableFuture<Void>> given = new ArrayList<>();
    for (int i = 0; i + 1 < tasks.size(); i++) {
      given.add(CompletableFuture.runAsync(tasks.get(i), others));
    }
    if (!tasks.isEmpty()) {
      tasks.get(tasks.size() - 1).run();
    }
    given.forEach(CompletableFuture::join);
  }

  @Override
  public void close() {
    if (others != null) {
      others.shutdown();
    }
  }
}
