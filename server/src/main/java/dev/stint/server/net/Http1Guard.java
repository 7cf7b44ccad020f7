package dev.stint.server.net;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.Iterator;
import java.util.Map;

/**
 * Stands behind the decoder of HTTP/1.1 and counts the requests that wait for those before them:
 * however small they were on the wire, each is some objects.
 */
final class Http1Guard extends ChannelDuplexHandler {

  /** Behind a request in less than this there is not room for much of the next. */
  private static final int SMALL = 256;

  /** Waiting requests are counted in steps of so many. */
  private static final int STEP = 8;

  private final ConnectionBudget budget;
  private int open;
  private int held;

  Http1Guard(ConnectionBudget budget) {
    this.budget = budget;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof HttpRequest request) {
      open++;
      if (open == 1) {
        budget.requested();
      }
      if (request.decoderResult().isFailure()) {
        budget.cutShort();
      }
      Head head = budget.head();
      head.consumed(head.received() <= SMALL ? SMALL : sizeOf(request));
    }
    if (message instanceof HttpContent content) {
      budget.head().consumed(content.content().readableBytes());
      if (message instanceof LastHttpContent) {
        budget.head().complete();
      }
    }
    context.fireChannelRead(message);
  }

  private static long sizeOf(HttpRequest request) {
    long size = request.method().name().length() + request.uri().length() + 14L;
    HttpHeaders headers = request.headers();
    for (Iterator<Map.Entry<CharSequence, CharSequence>> all = headers.iteratorCharSequence();
        all.hasNext(); ) {
      Map.Entry<CharSequence, CharSequence> header = all.next();
      size += header.getKey().length() + header.getValue().length() + 4L;
    }
    return size;
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    context.fireChannelReadComplete();
    if (open - 1 > held + STEP) {
      int more = open - 1 - held;
      if (budget.hold(more * ConnectionCost.PIPELINED)) {
        held += more;
      } else {
        budget.rejected(RejectionCause.MEMORY);
        ChannelFuture unused = context.close();
      }
    }
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (message instanceof LastHttpContent && !isInterim(message)) {
      open--;
      budget.answered();
      if (held > 0 && (open <= 1 || open - 1 < held - STEP)) {
        int less = held - Math.max(0, open - 1);
        held -= less;
        budget.release(less * ConnectionCost.PIPELINED);
      }
    }
    ChannelFuture unused = context.write(message, promise);
  }

  private static boolean isInterim(Object message) {
    return message instanceof HttpResponse response
        && response.status().equals(HttpResponseStatus.CONTINUE);
  }
}
