package dev.stint.server.http;

import dev.stint.server.net.ConnectionBudget;
import dev.stint.server.net.Holder;
import dev.stint.server.net.HttpBudget;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A connection, and the requests on it whose bodies are not yet there. */
final class Client {

  /** How long somebody who is to be cut off may take to read why. */
  private static final long LAST_WORD_MILLIS = 1000;

  private final Vertx vertx;
  private final HttpConnection connection;
  private final ConnectionBudget budget;
  private final Object key = new Object();
  private final List<Exchange> reading = new ArrayList<>(1);
  private long lastSeen;
  private boolean closing;

  Client(Vertx vertx, HttpConnection connection, long tick) {
    this.vertx = vertx;
    this.connection = connection;
    this.budget = HttpBudget.of(connection);
    this.lastSeen = tick;
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
  void seen(long tick) {
    lastSeen = tick;
  }

  void reading(Exchange exchange) {
    reading.add(exchange);
  }

  void hasRead(Exchange exchange) {
    reading.remove(exchange);
  }

  /** Ends what takes longer than it may: a body, or else the head of a next request. */
  void sweep(long tick, long most) {
    if (reading.isEmpty()) {
      if (tick - lastSeen > most) {
        close();
      }
      return;
    }
    for (Exchange exchange : List.copyOf(reading)) {
      if (tick - exchange.began() > most) {
        exchange.tooSlow();
      }
    }
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
    List.copyOf(reading).forEach(Exchange::abandoned);
  }
}
