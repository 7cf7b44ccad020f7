package dev.stint;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Where a store reads the time and waits for it to pass.
 *
 * <p>{@link #system()} is what production uses. Tests use the test kit's {@code ManualTime}, on
 * which an hour passes at a word.
 */
public interface TimeSource {

  /**
   * Microseconds since the epoch, as a clock that does not jump: it is set once and then runs
   * evenly, so that a correction of the machine's clock opens no window and blocks no key.
   */
  long micros();

  /**
   * What the wall clock shows at {@code micros}, a reading of this source just taken. Windows that
   * are aligned to the clock follow it.
   */
  default long wall(long micros) {
    return micros;
  }

  /** Parks this thread for so many microseconds. */
  void sleep(long micros) throws InterruptedException;

  /** A future that completes after so many microseconds. */
  CompletableFuture<Void> delay(long micros);

  /**
   * What runs when a wait is over: the next try of an asynchronous {@code acquire}, and then what
   * its caller does with the answer. Daemon threads that are started when they are needed, so that
   * one that blocks delays no other; never the thread that serves the timers.
   */
  default Executor executor() {
    return WaitThreads.EXECUTOR;
  }

  /** The machine's clock. */
  static TimeSource system() {
    return SystemTime.INSTANCE;
  }
}
