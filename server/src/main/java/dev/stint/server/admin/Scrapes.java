package dev.stint.server.admin;

import dev.stint.server.net.InternalErrors;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Answers {@code /metrics}. A page may have megabytes, so it is made off the event loop, one at a
 * time, and sent piece by piece as fast as the client reads. It is shared by all requests that come
 * while it is made or sent, so that any number of clients that do not read hold one or two pages.
 * All of it happens on one event loop.
 */
final class Scrapes {

  /** What a client is told before there are any scrapes. */
  static final String STARTING = "the service is starting; try again in a second";

  private static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";
  private static final long LONGEST = TimeUnit.SECONDS.toNanos(10);

  /** A page that took longer than this is used again for a while, or scrapes could fill a core. */
  private static final long SLOW = TimeUnit.MILLISECONDS.toNanos(50);

  private static final int REUSED_FOR_TIMES = 4;

  private final Vertx vertx;
  private final Metrics metrics;
  private @Nullable Future<Page> making;
  private @Nullable Page latest;
  private final Set<Sending> sending = new HashSet<>();

  /** What Prometheus reads, in pieces. */
  private record Page(List<Buffer> pieces, long length, long madeAt, long took) {}

  Scrapes(Vertx vertx, Metrics metrics) {
    this.vertx = vertx;
    this.metrics = metrics;
  }

  void send(HttpServerRequest request) {
    new Sending(request).start();
  }

  /** While a page is being sent, no second one is made, or slow clients could hold many. */
  @SuppressWarnings("ReferenceEquality") // this very page, not one like it
  private boolean isGood(Page page) {
    long age = System.nanoTime() - page.madeAt;
    boolean isBeingSent = sending.stream().anyMatch(one -> one.page == page);
    return (page.took > SLOW && age < REUSED_FOR_TIMES * page.took)
        || (isBeingSent && age < LONGEST);
  }

  private Future<Page> page() {
    Page known = latest;
    if (known != null && isGood(known)) {
      return Future.succeededFuture(known);
    }
    latest = null;
    Future<Page> running = making;
    if (running != null) {
      return running;
    }
    Future<Page> started = vertx.executeBlocking(this::make, false);
    making = started;
    started.onComplete(
        (page, failure) -> {
          making = null;
          latest = page;
        });
    return started;
  }

  private Page make() throws IOException {
    long start = System.nanoTime();
    PieceStream out = new PieceStream();
    metrics.scrape(out);
    long now = System.nanoTime();
    return new Page(out.pieces(), out.length(), now, now - start);
  }

  /** One response. */
  private final class Sending {
    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final long timer;
    private boolean over;
    private int next;
    private @Nullable Page page;

    Sending(HttpServerRequest request) {
      this.request = request;
      this.response = request.response();
      sending.add(this);
      this.timer = vertx.setTimer(TimeUnit.NANOSECONDS.toMillis(LONGEST), late -> cut());
    }

    void start() {
      response.closeHandler(closed -> end());
      response.exceptionHandler(gone -> end());
      page()
          .onSuccess(this::begin)
          .onFailure(
              failure -> {
                InternalErrors.log("metrics", failure);
                end();
                response
                    .setStatusCode(500)
                    .end(InternalErrors.SENTENCE + "\n")
                    .onFailure(gone -> {});
              });
    }

    private void begin(Page made) {
      page = made;
      if (over || response.ended() || response.closed()) {
        end();
        return;
      }
      response
          .putHeader("Content-Type", TYPE)
          .putHeader("Cache-Control", "no-store")
          .putHeader("X-Content-Type-Options", "nosniff")
          .putHeader("Content-Length", Long.toString(made.length()));
      if (request.method().equals(HttpMethod.HEAD)) {
        end();
        response.end().onFailure(gone -> {});
      } else {
        write(made);
      }
    }

    private void write(Page made) {
      while (!over && next < made.pieces().size()) {
        if (response.writeQueueFull()) {
          response.drainHandler(drained -> write(made));
          return;
        }
        response.write(made.pieces().get(next++)).onFailure(gone -> end());
      }
      if (!over) {
        response.end().onComplete(sent -> end());
      }
    }

    /** A client that does not read would hold its page for as long as it likes. */
    private void cut() {
      if (over) {
        return;
      }
      end();
      if (request.version() == HttpVersion.HTTP_2) {
        response.reset().onFailure(gone -> {});
      } else {
        request.connection().close().onFailure(gone -> {});
      }
    }

    private void end() {
      if (!over) {
        over = true;
        sending.remove(this);
        if (latest != null && !isGood(latest)) {
          latest = null;
        }
        vertx.cancelTimer(timer);
      }
    }
  }
}
