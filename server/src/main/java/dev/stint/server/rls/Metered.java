package dev.stint.server.rls;

import dev.stint.server.net.Room;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.http.HttpServerRequestInternal;
import io.vertx.core.internal.http.HttpServerRequestWrapper;
import org.jspecify.annotations.Nullable;

/**
 * A call of which not more is gathered than there is {@link Room} for. A message alone has a bound
 * as well, but there may be many on their way at once.
 */
final class Metered extends HttpServerRequestWrapper {

  private static final long ENHANCE_YOUR_CALM = 0xb;

  private final HttpServerRequest request;
  private final Room room;
  private int held;
  private boolean over;

  Metered(HttpServerRequest request, Room room) {
    super((HttpServerRequestInternal) request);
    this.request = request;
    this.room = room;
  }

  @Override
  public HttpServerRequest handler(@Nullable Handler<Buffer> handler) {
    return super.handler(handler == null ? null : chunk -> received(chunk, handler));
  }

  private void received(Buffer chunk, Handler<Buffer> handler) {
    if (over) {
      return;
    }
    if (room.take(chunk.length(), held)) {
      held += chunk.length();
      handler.handle(chunk);
    } else {
      over();
      request.response().reset(ENHANCE_YOUR_CALM).onFailure(GrpcCalls::ignore);
    }
  }

  /** The call is over, and holds nothing any more. */
  void over() {
    over = true;
    room.giveBack(held);
    held = 0;
  }
}
