package dev.stint.server.http;

import dev.stint.server.net.LargeRequestWorker;
import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * How much of the batches of one event loop may be under way to the store at a time. Decisions that
 * are not part of a batch do not wait here: they find a short queue at the store, whatever batches
 * there are. Connections take turns. Only the worker's thread uses it.
 */
final class BatchWindow {

  /** Pieces of batches under way at once. */
  private static final int MOST = 3;

  private final LargeRequestWorker worker;
  private final IdentityHashMap<Object, Queue<Runnable>> waiting = new IdentityHashMap<>();
  private final Queue<Object> ring = new ArrayDeque<>();
  private int underWay;

  BatchWindow(LargeRequestWorker worker) {
    this.worker = worker;
  }

  /** Sends a piece of a batch of this connection, now or when there is room. */
  void enter(Object connection, Runnable piece) {
    if (underWay < MOST && ring.isEmpty()) {
      underWay++;
      piece.run();
      return;
    }
    Queue<Runnable> queue = waiting.get(connection);
    if (queue == null) {
      queue = new ArrayDeque<>();
      waiting.put(connection, queue);
      ring.add(connection);
    }
    queue.add(piece);
  }

  /** A piece has its answers. */
  void leave() {
    underWay--;
    Object connection = ring.poll();
    if (connection == null) {
      return;
    }
    Queue<Runnable> queue = waiting.get(connection);
    Runnable next = take(connection, queue);
    if (next != null) {
      underWay++;
      worker.later(connection, next);
    }
  }

  private @Nullable Runnable take(Object connection, @Nullable Queue<Runnable> queue) {
    Runnable next = queue == null ? null : queue.poll();
    if (queue == null || queue.isEmpty()) {
      waiting.remove(connection);
    } else {
      ring.add(connection);
    }
    return next;
  }
}
