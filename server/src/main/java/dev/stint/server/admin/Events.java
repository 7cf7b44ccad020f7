package dev.stint.server.admin;

import dev.stint.server.net.HttpBudget;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Those who watch: each has a stream of events, and all get the same. It belongs to one event loop;
 * what takes a while is made elsewhere.
 */
final class Events {

  static final int MOST = 16;

  private static final long SECOND = 1000;

  private final Vertx vertx;
  private final Context loop;
  private final Snapshots snapshots;
  private final Map<HttpServerResponse, Viewer> viewers = new LinkedHashMap<>();
  private volatile int count;
  private Future<?> beating = Future.succeededFuture();
  private boolean busy;
  private boolean over;

  Events(Vertx vertx, Snapshots snapshots) {
    this.vertx = vertx;
    this.loop = vertx.getOrCreateContext();
    this.snapshots = snapshots;
  }

  /** Looks at the counters once a second from now on. */
  void begin() {
    vertx.setPeriodic(SECOND, timer -> beat());
  }

  /** A beat that lasts longer than a second, on a machine out of breath, costs the next one. */
  private void beat() {
    if (busy || over) {
      return;
    }
    busy = true;
    boolean watched = !viewers.isEmpty();
    Future<String> made =
        vertx.executeBlocking(
            () -> {
              snapshots.tick();
              return watched ? event("snapshot", snapshots.snapshot()) : "";
            },
            false);
    beating = made;
    made.onComplete(done -> busy = false)
        .onSuccess(
            event -> Map.copyOf(viewers).forEach((viewer, open) -> tell(viewer, open, event)));
  }

  private static String event(String name, String line) {
    return "event: " + name + "\ndata: " + line.strip() + "\n\n";
  }

  private void tell(HttpServerResponse viewer, Viewer open, String event) {
    if (!open.mayWatch.getAsBoolean()) { // its token was replaced
      end(viewer);
      return;
    }
    if (event.isEmpty() || !viewer.headWritten()) { // its opening is being made
      return;
    }
    if (viewer.writeQueueFull()) { // what it was told a second ago is still here
      drop(viewer);
    } else {
      viewer.write(event).onFailure(gone -> leave(viewer));
    }
  }

  /** Whether nobody may come any more. */
  boolean isOver() {
    return over;
  }

  boolean isFull() {
    return viewers.size() >= MOST;
  }

  /** How many watch. */
  int count() {
    return count;
  }

  /**
   * Answers a request with events from now on.
   *
   * @param mayWatch whether it still may have them; asked before each
   */
  void open(HttpServerRequest request, BooleanSupplier mayWatch) {
    HttpServerResponse viewer = request.response();
    viewer
        .putHeader("Content-Type", "text/event-stream")
        .putHeader("Cache-Control", "no-store")
        .putHeader("X-Content-Type-Options", "nosniff");
    if (request.method().equals(HttpMethod.HEAD)) {
      viewer.end().onFailure(gone -> {});
      return;
    }
    viewers.put(viewer, new Viewer(request.connection(), mayWatch));
    count = viewers.size();
    viewer
        .setChunked(true)
        .closeHandler(closed -> leave(viewer))
        .exceptionHandler(broken -> leave(viewer));
    vertx
        .executeBlocking(snapshots::opening, false)
        .map(first -> event("history", first.history()) + event("snapshot", first.snapshot()))
        .compose(viewer::write)
        .onFailure(failure -> drop(viewer));
  }

  private record Viewer(HttpConnection connection, BooleanSupplier mayWatch) {}

  private void leave(HttpServerResponse viewer) {
    viewers.remove(viewer);
    count = viewers.size();
  }

  private void end(HttpServerResponse viewer) {
    Viewer open = viewers.get(viewer);
    if (open != null
        && viewer.headWritten()
        && !viewer.writeQueueFull()
        && HttpBudget.isWritable(open.connection)) {
      leave(viewer);
      viewer.end().onFailure(gone -> {});
    } else {
      drop(viewer);
    }
  }

  /** Ends a stream without sending what waits: a client that does not read would never take it. */
  private void drop(HttpServerResponse viewer) {
    Viewer open = viewers.get(viewer);
    leave(viewer);
    if (viewer.streamId() >= 0) {
      viewer.reset().onFailure(gone -> {});
    } else if (open != null) { // Vert.x would close it after sending what waits
      HttpBudget.closeNow(open.connection);
    }
  }

  /** Runs on the event loop of those who watch. */
  void onLoop(Runnable task) {
    loop.runOnContext(go -> task.run());
  }

  /**
   * Nobody is told any more: a stream without an end would hold up the end of the service. Nobody
   * waits until it is read either: who is deaf never reads it.
   *
   * @return done when nothing more is made for them, so that the event loop may end
   */
  Future<Void> end() {
    over = true;
    List.copyOf(viewers.keySet()).forEach(this::end);
    return beating.transform(done -> Future.succeededFuture());
  }
}
