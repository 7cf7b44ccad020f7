package dev.stint.server.rls;

import dev.stint.server.net.Holder;
import dev.stint.server.net.HttpBudget;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.http.HttpServerRequestInternal;
import io.vertx.core.internal.http.HttpServerRequestWrapper;
import org.jspecify.annotations.Nullable;

/**
 * A call whose messages are counted until its stream is closed. A message alone has a bound as
 * well, but there may be many on their way at once.
 */
final class Metered extends HttpServerRequestWrapper {

  /** The bytes of a message are gathered, and copied once into its parts. */
  private static final int COPIES = 2;

  /** A descriptor of eight bytes has a status of a hundred at most. */
  private static final int ANSWER_PER_BYTE = 14;

  private final HttpServerRequest request;
  private final Holder holder;
  private final long mostAnswer;
  private long answer;
  private boolean over;

  /**
   * A call.
   *
   * @param holder what its bytes are counted for
   * @param mostAnswer how large the answer to it can be
   */
  Metered(HttpServerRequest request, Holder holder, long mostAnswer) {
    super((HttpServerRequestInternal) request);
    this.request = request;
    this.holder = holder;
    this.mostAnswer = mostAnswer;
  }

  @Override
  public HttpServerRequest handler(@Nullable Handler<Buffer> handler) {
    return super.handler(handler == null ? null : chunk -> received(chunk, handler));
  }

  private void received(Buffer chunk, Handler<Buffer> handler) {
    if (over) {
      return;
    }
    long size = chunk.length();
    long answered = Math.min(mostAnswer - answer, ANSWER_PER_BYTE * size);
    if (holder.hold(COPIES * size + answered)) {
      answer += answered;
      handler.handle(chunk);
    } else {
      over = true;
      request.response().reset(HttpBudget.TOO_MUCH).onFailure(GrpcCalls::ignore);
    }
  }

  /** The call is answered; what it holds is counted until its stream is closed. */
  void over() {
    over = true;
  }
}
