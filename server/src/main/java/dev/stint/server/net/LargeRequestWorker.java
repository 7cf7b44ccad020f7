package dev.stint.server.net;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A thread for requests that take long, such as large batches. While it works on them, the event
 * loops serve the other requests: where processors are short, the operating system prefers threads
 * that sleep most of the time.
 *
 * <p>Connections take turns on it as they do on an event loop, see {@link FairTurns}. All work of
 * one worker runs on one thread at a time, in the order in which it was given for a connection.
 */
public final class LargeRequestWorker {

  private static final long IDLE_SECONDS = 10;

  private final Executor thread;
  private final FairTurns turns;

  /** The thread while it works; null while it waits. */
  private volatile @Nullable Thread working;

  /** A worker whose thread exists only while there is work. */
  public LargeRequestWorker() {
    this(System::nanoTime, singleThread());
  }

  LargeRequestWorker(LongSupplier nanos, Executor thread) {
    this.thread = thread;
    this.turns =
        new FairTurns(
            nanos, this::execute, failure -> InternalErrors.log("large requests", failure));
  }

  private void execute(Runnable task) {
    thread.execute(
        () -> {
          working = Thread.currentThread();
          try {
            task.run();
          } finally {
            working = null;
          }
        });
  }

  /** It ends by itself when it is idle, so that nothing has to be closed. */
  private static Executor singleThread() {
    ThreadPoolExecutor executor =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(), // what waits here is counted for its connection
            work -> {
              Thread thread = new Thread(work, "stint-large-requests");
              thread.setDaemon(true);
              return thread;
            });
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }

  /** Runs a piece of work of this connection when its turn comes; may be called by any thread. */
  public void later(Object connection, Runnable work) {
    if (Thread.currentThread() == working) { // the next piece, for which there may still be time
      turns.later(connection, work);
    } else {
      execute(() -> turns.later(connection, work));
    }
  }

  /** The same for work that has a result, which may be there still later. */
  public <T> CompletableFuture<T> call(Object connection, Supplier<CompletionStage<T>> work) {
    return CompletableFuture.<@Nullable Void>completedFuture(null)
        .thenComposeAsync(begin -> work.get(), task -> later(connection, task));
  }

  /** Forgets the work of a connection that is gone, with all that the work would keep in memory. */
  public void drop(Object connection) {
    execute(() -> turns.drop(connection));
  }
}
