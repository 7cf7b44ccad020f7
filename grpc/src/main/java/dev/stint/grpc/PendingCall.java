package dev.stint.grpc;

import dev.stint.http.Answer;
import dev.stint.http.Refusal;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * A call whose answer is awaited.
 *
 * <p>Nothing is requested of the client meanwhile: that stays with the handler, which alone knows
 * how many messages it can take. What the server tells of the call is kept for the handler.
 */
final class PendingCall<Q, A> {

  private static final Logger LOG = System.getLogger("dev.stint.grpc");

  private final ServerCall<Q, A> call;
  private final Metadata headers;
  private final ServerCallHandler<Q, A> next;
  private final Context context = Context.current();
  private final DelayedListener<Q> listener = new DelayedListener<>();

  PendingCall(ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    this.call = call;
    this.headers = headers;
    this.next = next;
  }

  ServerCall.Listener<Q> listener() {
    return listener;
  }

  /** Goes on with the answer, on a thread that a handler may keep. */
  void answered(@Nullable Answer answer, @Nullable Throwable failure) {
    if (answer == null) {
      end(() -> fail(call, failure));
      return;
    }
    Refusal refusal = answer.refusal().orElse(null);
    if (refusal != null) {
      end(() -> Refused.close(call, answer, refusal));
    } else {
      context.run(() -> start(answer));
    }
  }

  /** Closes the call if it is still there, and forgets what has happened to it. */
  private void end(Runnable close) {
    if (listener.begin()) {
      close.run();
      listener.open(new ServerCall.Listener<>() {}, failure -> {});
    }
  }

  private void start(Answer answer) {
    LimitedCall<Q, A> limited = new LimitedCall<>(call, answer);
    if (!listener.begin()) {
      limited.finish(Codes.CANCELLED);
      return;
    }
    ServerCall.Listener<Q> handler;
    try {
      handler = limited.start(headers, next);
    } catch (RuntimeException | Error e) {
      fail(limited, e);
      handler = new ServerCall.Listener<>() {};
    }
    listener.open(handler, failure -> fail(limited, failure));
  }

  /** Does what the server does when a handler throws, which it cannot see on this thread. */
  private static void fail(ServerCall<?, ?> call, @Nullable Throwable failure) {
    LOG.log(Level.ERROR, "a call failed: " + call.getMethodDescriptor(), failure);
    try {
      call.close(Status.UNKNOWN.withDescription("The server failed."), new Metadata());
    } catch (IllegalStateException e) {
      LOG.log(Level.DEBUG, "it was closed before it failed", e);
    }
  }
}
