package dev.stint.grpc;

import io.grpc.ServerCall;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what happens to a call until there is a listener for it, and passes everything on in order.
 *
 * <p>The listener is called by one thread at a time, as gRPC promises: by the thread that opens, as
 * long as anything waits, and from then on by whoever calls this.
 */
final class DelayedListener<Q> extends ServerCall.Listener<Q> {

  private final Deque<Consumer<ServerCall.Listener<Q>>> waiting = new ArrayDeque<>();
  private boolean begun;
  private boolean ended;
  private volatile ServerCall.@Nullable Listener<Q> open;

  /** Whether the call is still there to be begun; if it has ended, nothing may be done with it. */
  synchronized boolean begin() {
    begun = !ended;
    return begun;
  }

  /** Passes on what waits, then lets everything through; tells of what the listener throws. */
  void open(ServerCall.Listener<Q> listener, Consumer<Throwable> failed) {
    for (var event = next(listener); event != null; event = next(listener)) {
      try {
        event.accept(listener);
      } catch (RuntimeException | Error e) {
        failed.accept(e);
      }
    }
  }

  private synchronized @Nullable Consumer<ServerCall.Listener<Q>> next(
      ServerCall.Listener<Q> listener) {
    Consumer<ServerCall.Listener<Q>> event = waiting.poll();
    if (event == null) {
      open = listener;
    }
    return event;
  }

  private void pass(Consumer<ServerCall.Listener<Q>> event) {
    ServerCall.Listener<Q> listener = open;
    if (listener == null) {
      listener = openOrKeep(event);
    }
    if (listener != null) {
      event.accept(listener);
    }
  }

  private synchronized ServerCall.@Nullable Listener<Q> openOrKeep(
      Consumer<ServerCall.Listener<Q>> event) {
    if (open == null && !ended) {
      waiting.add(event);
    }
    return open;
  }

  private synchronized void endIfNotBegun() {
    if (!begun) {
      ended = true;
      waiting.clear();
    }
  }

  @Override
  public void onMessage(Q message) {
    pass(listener -> listener.onMessage(message));
  }

  @Override
  public void onHalfClose() {
    pass(ServerCall.Listener::onHalfClose);
  }

  @Override
  public void onReady() {
    pass(ServerCall.Listener::onReady);
  }

  @Override
  public void onCancel() {
    endIfNotBegun();
    pass(ServerCall.Listener::onCancel);
  }

  @Override
  public void onComplete() {
    endIfNotBegun();
    pass(ServerCall.Listener::onComplete);
  }
}
