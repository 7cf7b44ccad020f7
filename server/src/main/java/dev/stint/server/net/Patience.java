package dev.stint.server.net;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Shows out who does not come to the point. A connection must bring a whole request within the
 * bound on idle time: one byte now and then, or a ping, keeps it from being idle, but is none.
 *
 * <p>Each event loop has one of its own.
 */
public final class Patience {

  /** In how many steps the bound is measured. */
  private static final int TICKS = 4;

  private final IdentityHashMap<HttpConnection, Guest> guests = new IdentityHashMap<>();
  private long tick;

  /** Looks after connections from now on. */
  public void watch(Vertx vertx, Duration idle) {
    vertx.setPeriodic(Math.max(1, idle.toMillis() / TICKS), timer -> sweep());
  }

  /** A connection has come. */
  public void entered(HttpConnection connection) {
    guests.put(connection, new Guest(tick));
  }

  /** It is gone. */
  public void left(HttpConnection connection) {
    guests.remove(connection);
  }

  /** A request has begun; {@code whenOver} runs when it is answered, or will never be. */
  public void began(HttpServerRequest request, Runnable whenOver) {
    Guest guest = guests.get(request.connection());
    if (guest != null) {
      Visit visit = new Visit(request, tick);
      guest.open.add(visit);
      request
          .response()
          .endHandler(
              ended -> {
                guest.open.remove(visit);
                guest.lastSeen = tick;
                whenOver.run();
              });
    }
  }

  private void sweep() {
    tick++;
    for (Map.Entry<HttpConnection, Guest> entry : List.copyOf(guests.entrySet())) {
      Guest guest = entry.getValue();
      for (Visit visit : List.copyOf(guest.open)) {
        if (!visit.request.isEnded() && tick - visit.began > TICKS) {
          end(visit.request);
        }
      }
      if (guest.open.isEmpty() && tick - guest.lastSeen > TICKS) {
        close(entry.getKey());
      }
    }
  }

  private static void end(HttpServerRequest request) {
    if (request.version() == HttpVersion.HTTP_2) {
      request.response().reset().onFailure(gone -> {});
    } else {
      close(request.connection());
    }
  }

  private static void close(HttpConnection connection) {
    connection.close().onFailure(gone -> {});
  }

  private static final class Guest {
    private final List<Visit> open = new ArrayList<>(1);
    private long lastSeen;

    Guest(long tick) {
      this.lastSeen = tick;
    }
  }

  /** A request that is not answered yet. */
  private static final class Visit {
    private final HttpServerRequest request;
    private final long began;

    Visit(HttpServerRequest request, long began) {
      this.request = request;
      this.began = began;
    }
  }
}
