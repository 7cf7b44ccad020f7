package dev.stint.spring;

import dev.stint.DecisionEvent;
import dev.stint.DecisionListener;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Brings events of decisions to the application on a thread of its own: what listeners do must hold
 * up neither a request nor the thread that brings the answers of a store. What they cannot keep up
 * with is dropped.
 */
final class EventPublisher implements AutoCloseable {

  private static final Log LOG = LogFactory.getLog(EventPublisher.class);
  private static final int MOST_WAITING = 1000;
  private static final int IDLE_SECONDS = 10;

  private final ApplicationEventPublisher application;
  private final ObjectProvider<DecisionListener> listeners;
  private final ThreadPoolExecutor thread;

  /** A publisher that looks for listeners when there is an event: they may need the store. */
  EventPublisher(
      ApplicationEventPublisher application, ObjectProvider<DecisionListener> listeners) {
    this.application = application;
    this.listeners = listeners;
    this.thread =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MOST_WAITING),
            EventPublisher::thread,
            new ThreadPoolExecutor.DiscardPolicy());
    thread.allowCoreThreadTimeOut(true);
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "stint-events");
    thread.setDaemon(true);
    return thread;
  }

  void notice(DecisionEvent event) {
    thread.execute(() -> publish(event));
  }

  private void publish(DecisionEvent event) {
    run(() -> listeners.orderedStream().forEach(listener -> run(() -> listener.notice(event))));
    run(() -> application.publishEvent(new RateLimitEvent(this, event)));
  }

  private static void run(Runnable listener) {
    try {
      listener.run();
    } catch (RuntimeException e) {
      LOG.warn("A listener of rate limit events failed.", e);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
