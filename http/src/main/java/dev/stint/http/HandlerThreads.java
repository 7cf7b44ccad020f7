package dev.stint.http;

import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/** Threads that run handlers: as many as are busy, since nothing says what a handler waits for. */
final class HandlerThreads {

  private static final AtomicLong MADE = new AtomicLong();
  private static final Executor SHARED = Executors.newCachedThreadPool(HandlerThreads::thread);

  private HandlerThreads() {}

  static Executor shared() {
    return SHARED;
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "stint-handler-" + MADE.incrementAndGet());
    thread.setDaemon(true);
    return thread;
  }
}
