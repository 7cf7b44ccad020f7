package dev.stint.server.net;

import dev.stint.server.config.Bounds;
import io.netty.channel.Channel;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The open connections of a listener, counted from accept on, and how many there may be. */
public final class Connections {

  private final int id;
  private final Pool pool;
  private final Duration idle;
  private final int headers;
  private final WireCounters counters = new WireCounters();
  private volatile @Nullable Channel listening;

  /** At most so many, of a listener that is not {@linkplain GuardedTransport guarded}. */
  public Connections(int most) {
    this(0, most, Bounds.standard().idle(), Bounds.standard().headers());
  }

  /**
   * At most so many.
   *
   * @param id a number that no other listener has
   * @param idle how long they may make no progress
   * @param headers bytes of a request's headers
   */
  public Connections(int id, int most, Duration idle, int headers) {
    this.id = id;
    this.idle = idle;
    this.headers = headers;
    this.pool =
        new Pool(
            RejectionCause.CONNECTION_LIMIT,
            most,
            connection -> connection.listener() == this ? 1 : 0);
  }

  int id() {
    return id;
  }

  Pool pool() {
    return pool;
  }

  Duration idle() {
    return idle;
  }

  int headers() {
    return headers;
  }

  void acceptsOn(Channel channel) {
    listening = channel;
  }

  /**
   * Closes the listening socket. Do so before a server is shut down: Vert.x would go on accepting
   * connections for a moment after it has nothing to serve them with.
   */
  public Future<Void> stopAccepting() {
    Channel open = listening;
    Promise<Void> closed = Promise.promise();
    if (open == null) {
      closed.complete();
    } else {
      open.close().addListener(done -> closed.complete());
    }
    return closed.future();
  }

  /** How many are open. */
  public int open() {
    return (int) pool.used();
  }

  /** How many there may be. */
  public int most() {
    return (int) pool.total();
  }

  /** What else is counted of this listener. */
  public WireCounters counters() {
    return counters;
  }
}
