package dev.stint.server.http;

import dev.stint.server.config.Permission;
import dev.stint.server.net.Caller;
import dev.stint.server.net.Holder;
import dev.stint.server.net.HttpBudget;
import dev.stint.server.net.IdleTimeouts;
import dev.stint.server.net.Permissions;
import dev.stint.server.net.RejectionCause;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A request with its answer. It gathers the body, within bounds, and gives one answer. */
final class Exchange
    implements Handler<Buffer>, BiConsumer<String, String>, Permissions, IdleTimeouts.Incoming {

  private static final byte[] NO_BYTES = {};
  private static final long NO_ERROR = 0;
  private static final int OK = 200;

  /** A body is gathered in a buffer that doubles, and copied once to be read. */
  private static final int COPIES = 3;

  private static final CharSequence JSON = HttpHeaders.createOptimized("application/json");
  private static final CharSequence PROBLEM =
      HttpHeaders.createOptimized("application/problem+json");
  private static final CharSequence RATE_LIMIT = HttpHeaders.createOptimized("RateLimit");
  private static final CharSequence RATE_LIMIT_POLICY =
      HttpHeaders.createOptimized("RateLimit-Policy");
  private static final CharSequence RETRY_AFTER = HttpHeaders.createOptimized("Retry-After");
  private static final CharSequence CLOSE = HttpHeaders.createOptimized("close");

  /** What to do when the whole body is there. */
  interface Reader {
    void read(Exchange exchange, byte[] body);
  }

  private final HttpServerRequest request;
  private final HttpServerResponse response;
  private final Caller caller;
  private final Client client;
  private final Bodies bodies;
  private final Holder holder;
  private final JsonBytes out;
  private final long began;

  private @Nullable Reader reader;
  private @Nullable Buffer body;
  private boolean mayAppend;
  private long received;
  private long held;
  private long reserved;
  private boolean cutOff;

  /**
   * A request.
   *
   * @param holder what its bytes are counted for
   * @param began as {@link IdleTimeouts#now} says
   */
  Exchange(
      HttpServerRequest request,
      Caller caller,
      Client client,
      Bodies bodies,
      Holder holder,
      JsonBytes out,
      long began) {
    this.request = request;
    this.caller = caller;
    this.response = request.response();
    this.client = client;
    this.bodies = bodies;
    this.holder = holder;
    this.out = out;
    this.began = began;
  }

  /** What stands for its connection in a queue. */
  Object connectionKey() {
    return client.key();
  }

  HttpServerRequest request() {
    return request;
  }

  @Override
  public Caller.@Nullable Denial denial(Permission wanted) {
    return caller.denial(wanted, request);
  }

  @Override
  public long began() {
    return began;
  }

  @Override
  public boolean isReceived() {
    return false; // it is watched no longer then
  }

  // ---- the body --------------------------------------------------------------------------------

  /** Calls {@code whenRead} with the body, or refuses it if it is too large or too slow. */
  void read(Reader whenRead) {
    reader = whenRead;
    follow();
    if (request.headers().contains(HttpHeaders.EXPECT)) {
      Future<Void> unused = response.writeContinue();
    }
  }

  /** Looks on while the body comes in, whoever wants it. */
  private void follow() {
    client.reading(this);
    request.handler(this);
    request.endHandler(end -> ended());
    if (request.version() == HttpVersion.HTTP_2) { // of HTTP/1, the connection tells the client
      request.exceptionHandler(failure -> abandoned());
    }
  }

  @Override
  public void handle(Buffer chunk) {
    received += chunk.length();
    if (cutOff) {
      return;
    }
    if (received > bodies.largest()) {
      refuseForGood(bodies.tooLarge());
    } else if (!response.ended()) {
      keep(chunk);
    }
  }

  private void keep(Buffer chunk) {
    if (!hold(COPIES * (long) chunk.length())) {
      refuseForGood(Bodies.tooMany());
      return;
    }
    if (body == null) {
      body = chunk;
    } else if (mayAppend) {
      body.appendBuffer(chunk);
    } else {
      body = Buffer.buffer(2 * (body.length() + chunk.length())).appendBuffer(body);
      body.appendBuffer(chunk);
      mayAppend = true;
    }
  }

  /** Counts bytes for this request until its body is read; false if there is no room. */
  private boolean hold(long bytes) {
    if (!holder.hold(bytes)) {
      return false;
    }
    held += bytes;
    return true;
  }

  /** Counts bytes until the answer is sent; false if there is no room. */
  boolean reserve(long bytes) {
    if (!holder.hold(bytes)) {
      return false;
    }
    reserved += bytes;
    return true;
  }

  private void ended() {
    client.hasRead(this);
    Buffer whole = body;
    letGo();
    if (reader != null && !response.ended()) {
      reader.read(this, whole == null ? NO_BYTES : whole.getBytes());
    } else {
      client.closeIfTold();
    }
  }

  /** The rest of the body will never come. */
  void abandoned() {
    client.hasRead(this);
    letGo();
  }

  private void letGo() {
    holder.release(held);
    held = 0;
    body = null;
  }

  @Override
  public void tooSlow() {
    refuseForGood(bodies.tooSlow());
  }

  /** Refuses, and wants no more of the body. */
  private void refuseForGood(Problem problem) {
    letGo();
    cutOff = true;
    boolean streams = request.version() == HttpVersion.HTTP_2;
    if (!streams && !response.headWritten()) {
      response.putHeader(HttpHeaders.CONNECTION, CLOSE);
    }
    refuse(problem);
    // Who is cut off at once may never read why; meanwhile the rest of the body is thrown away.
    if (streams) {
      client.hasRead(this);
      client.later(() -> response.reset(NO_ERROR));
    } else {
      client.closeSoon();
    }
  }

  // ---- the answer ------------------------------------------------------------------------------

  /** Something to write an answer into. */
  JsonBytes json() {
    return out.clear();
  }

  /** Adds a header. */
  @Override
  public void accept(String name, String value) {
    response.putHeader(optimized(name), value);
  }

  private static CharSequence optimized(String name) {
    return switch (name) {
      case "RateLimit" -> RATE_LIMIT;
      case "RateLimit-Policy" -> RATE_LIMIT_POLICY;
      case "Retry-After" -> RETRY_AFTER;
      default -> name;
    };
  }

  /** Whether nobody waits for an answer any more. */
  boolean isOver() {
    return response.ended() || response.closed();
  }

  /** Has something done when the client goes before it is answered, or has its answer. */
  void whenClosed(Runnable action) {
    response.closeHandler(closed -> action.run());
  }

  /** Answers 200 with this JSON. */
  void answer(Buffer content) {
    answer(OK, JSON, content);
  }

  /** Answers with what was written into {@link #json}. */
  void answer(int status) {
    answer(status, JSON, out.toBuffer());
  }

  void answer(int status, CharSequence type, Buffer content) {
    if (response.ended() || response.closed()) {
      return;
    }
    if (status != OK) {
      response.setStatusCode(status);
    }
    response.putHeader(HttpHeaders.CONTENT_TYPE, type);
    holder.release(reserved);
    reserved = 0;
    if (HttpMethod.HEAD.equals(request.method())) {
      response.putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(content.length()));
      Future<Void> unused = response.end();
    } else if (!HttpBudget.send(request, content.length(), () -> response.end(content))) {
      cutShort();
    }
  }

  /** There is no room for the answer: the client has left too many unread. */
  private void cutShort() {
    Future<Void> unused =
        request.version() == HttpVersion.HTTP_2
            ? response.reset(HttpBudget.TOO_MUCH)
            : request.connection().close();
  }

  void refuse(Problem problem) {
    if (response.ended() || response.closed()) {
      return;
    }
    bodies.counters().answered(problem.status());
    response.headers().remove(RETRY_AFTER);
    answer(problem.status(), PROBLEM, problem.write(json()).toBuffer());
  }

  /** Refuses a request for which the store is needed, and was not there. */
  void refuseWithoutStore(Problem problem) {
    if (!response.ended() && !response.closed()) {
      bodies.counters().rejected(RejectionCause.STORE);
      response.headers().remove(RETRY_AFTER);
      answer(problem.status(), PROBLEM, problem.write(json()).toBuffer());
    }
  }

  /** Counts a request that was answered with this status, which another has chosen. */
  void counted(int status) {
    bodies.counters().answered(status);
  }

  /** Refuses a request before its body is there. */
  void refuseUnread(Problem problem) {
    if (Bodies.isComing(request)) {
      follow();
    }
    if (bodies.exceeds(request)) {
      refuseForGood(problem);
    } else {
      refuse(problem);
    }
  }
}
