package dev.stint.server.net;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Closes HTTP connections that send no complete request within {@code bounds.idle}. A byte now and
 * then, or a ping, keeps a connection from being idle in Netty's sense, but is no request.
 *
 * <p>Each event loop has one of its own.
 */
public final class IdleTimeouts {

  /** In how many steps the bound is measured. */
  private static final int TICKS = 4;

  private static final long NO_TIMER = -1;

  private final WireCounters counters;
  private final IdentityHashMap<HttpConnection, Watched> connections = new IdentityHashMap<>();
  private long tick;
  private long timer = NO_TIMER;

  /** Timeouts that count the requests they end. */
  public IdleTimeouts(WireCounters counters) {
    this.counters = counters;
  }

  /** A request that may not be complete yet. */
  public interface Incoming {

    /** When it began, as {@link #now} said then. */
    long began();

    /** Whether all of it has been received. */
    boolean isReceived();

    /** It has taken longer than it may: ends it. */
    void tooSlow();
  }

  /** Measures from now on. */
  public void start(Vertx vertx, Duration idle) {
    timer = vertx.setPeriodic(Math.max(1, idle.toMillis() / TICKS), tick -> check());
  }

  /** Closes nothing any more. */
  public void stop(Vertx vertx) {
    if (timer != NO_TIMER) {
      vertx.cancelTimer(timer);
      timer = NO_TIMER;
    }
  }

  /** The time, in steps that are coarse but cost nothing to read. */
  public long now() {
    return tick;
  }

  /** Watches a connection from now on. */
  public Watched opened(HttpConnection connection) {
    Watched watched = new Watched(connection);
    connections.put(connection, watched);
    return watched;
  }

  /** It is closed. */
  public void closed(HttpConnection connection) {
    connections.remove(connection);
  }

  /** A request has begun; {@code whenOver} runs when it is answered, or will never be. */
  public void began(HttpServerRequest request, Runnable whenOver) {
    Watched connection = connections.get(request.connection());
    if (connection != null) {
      Open open = new Open(request, tick);
      connection.receiving(open);
      request
          .response()
          .endHandler(
              ended -> {
                connection.received(open);
                connection.requested();
                whenOver.run();
              });
    }
  }

  private void check() {
    tick++;
    for (Watched connection : List.copyOf(connections.values())) {
      connection.check();
    }
  }

  /** A connection with the requests that are being received. */
  public final class Watched {

    private final HttpConnection connection;
    private final List<Incoming> incoming = new ArrayList<>(1);
    private long lastRequest = tick;

    private Watched(HttpConnection connection) {
      this.connection = connection;
    }

    /** It has sent a request. */
    public void requested() {
      lastRequest = tick;
    }

    /** A request is being received. */
    public void receiving(Incoming request) {
      incoming.add(request);
    }

    /** It has been received, or will never be. */
    public void received(Incoming request) {
      incoming.remove(request);
    }

    /** Those that are being received. */
    public List<Incoming> incoming() {
      return List.copyOf(incoming);
    }

    private void check() {
      // Decided before: a client that is told that its request was too slow needs time to read it.
      boolean isIdle = incoming.isEmpty();
      for (Incoming request : incoming()) {
        if (!request.isReceived() && tick - request.began() > TICKS) {
          request.tooSlow();
        }
      }
      if (isIdle && tick - lastRequest > TICKS) {
        close(connection);
      }
    }
  }

  private static void close(HttpConnection connection) {
    connection.close().onFailure(gone -> {});
  }

  /** A request that is not answered yet. */
  private final class Open implements Incoming {
    private final HttpServerRequest request;
    private final long began;

    Open(HttpServerRequest request, long began) {
      this.request = request;
      this.began = began;
    }

    @Override
    public long began() {
      return began;
    }

    @Override
    public boolean isReceived() {
      return request.isEnded();
    }

    @Override
    public void tooSlow() {
      counters.rejected(RejectionCause.TOO_SLOW);
      if (request.version() == HttpVersion.HTTP_2) {
        request.response().reset().onFailure(gone -> {});
      } else {
        close(request.connection());
      }
    }
  }
}
