package dev.stint.server.http;

import dev.stint.server.config.Bounds;
import dev.stint.server.net.WireCounters;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;

/** The bodies that an event loop is reading: how large each may be, and how long it may take. */
final class Bodies {

  private final Bounds bounds;
  private final WireCounters counters;

  Bodies(Bounds bounds, WireCounters counters) {
    this.bounds = bounds;
    this.counters = counters;
  }

  /** What is counted of this wire. */
  WireCounters counters() {
    return counters;
  }

  int largest() {
    return bounds.body();
  }

  /** Whether a request says that it brings a body. */
  static boolean isComing(HttpServerRequest request) {
    MultiMap headers = request.headers();
    return headers.contains(HttpHeaders.CONTENT_LENGTH)
        || headers.contains(HttpHeaders.TRANSFER_ENCODING);
  }

  /** Whether a request says itself that its body is too large. */
  boolean exceeds(HttpServerRequest request) {
    String length = request.headers().get(HttpHeaders.CONTENT_LENGTH);
    if (length == null) {
      return false;
    }
    try {
      return Long.parseLong(length) > bounds.body();
    } catch (NumberFormatException e) {
      return true; // more digits than a long has; what is no number does not get here
    }
  }

  Problem tooLarge() {
    return new Problem(
        413,
        "the body must have at most "
            + bounds.body()
            + " bytes, has more; send less at once, or raise bounds.body");
  }

  Problem tooSlow() {
    return new Problem(
        408,
        "a request must be complete within "
            + bounds.idle().toMillis()
            + " ms, was not; send it faster, or raise bounds.idle");
  }

  static Problem tooMany() {
    return new Problem(
        503,
        "there is no memory for this request, because clients hold all they may; try again in a"
            + " second, or give Java more heap");
  }
}
