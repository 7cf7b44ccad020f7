package dev.stint.server.http;

import dev.stint.server.net.ConnectionBudget;
import dev.stint.server.net.Holder;
import dev.stint.server.net.HttpBudget;
import dev.stint.server.net.IdleTimeouts;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import org.jspecify.annotations.Nullable;

/** A connection, and the requests on it whose bodies are not yet there. */
final class Client {

  /** How long somebody who is to be cut off may take to read why. */
  private static final long LAST_WORD_MILLIS = 1000;

  private final Vertx vertx;
  private final HttpConnection connection;
  private final ConnectionBudget budget;
  private final Object key = new Object();
  private final IdleTimeouts.Watched watched;
  private boolean closing;

  Client(Vertx vertx, HttpConnection connection, IdleTimeouts.Watched watched) {
    this.vertx = vertx;
    this.connection = connection;
    this.budget = HttpBudget.of(connection);
    this.watched = watched;
  }

  /** What the bytes of a request are counted for; null if there is no room for it. */
  @Nullable Holder holder(HttpServerRequest request) {
    return request.version() == HttpVersion.HTTP_2 ? HttpBudget.holder(request) : budget;
  }

  /** Stands for this connection in queues that may outlive it, and keeps nothing of it. */
  Object key() {
    return key;
  }

  /** A request has begun. */
  void requested() {
    watched.requested();
  }

  void reading(Exchange exchange) {
    watched.receiving(exchange);
  }

  void hasRead(Exchange exchange) {
    watched.received(exchange);
  }

  void closeSoon() {
    if (!closing) {
      closing = true;
      later(this::close);
    }
  }

  /** Does something when there was time to read an answer. */
  void later(Runnable action) {
    vertx.setTimer(LAST_WORD_MILLIS, id -> action.run());
  }

  void closeIfTold() {
    if (closing) {
      close();
    }
  }

  private void close() {
    Future<Void> unused = connection.close();
  }

  /** The connection is gone. */
  void gone() {
    for (IdleTimeouts.Incoming incoming : watched.incoming()) {
      if (incoming instanceof Exchange exchange) {
        exchange.abandoned();
      }
    }
  }
}
