package dev.stint.grpc;

import dev.stint.http.Answer;
import io.grpc.Attributes;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;
import java.util.concurrent.atomic.AtomicBoolean;

/** A call that may pass: it carries the answer's fields to the client, and tells how it ended. */
final class LimitedCall<Q, A> extends SimpleForwardingServerCall<Q, A> {

  /** What the interceptors so far have answered. */
  static final Attributes.Key<Answer> ANSWER = Attributes.Key.create("dev.stint.grpc.answer");

  private final Answer answer;
  private final AtomicBoolean finished = new AtomicBoolean();
  private boolean headersSent;

  LimitedCall(ServerCall<Q, A> call, Answer answer) {
    super(call);
    this.answer = answer;
  }

  @Override
  public Attributes getAttributes() {
    return super.getAttributes().toBuilder().set(ANSWER, answer).build();
  }

  @Override
  public void sendHeaders(Metadata headers) {
    headersSent = true;
    super.sendHeaders(Texts.with(answer, headers));
  }

  @Override
  public void close(Status status, Metadata trailers) {
    try {
      finish(Codes.status(status.getCode()));
    } finally { // or a rule's own function that throws would leave the client waiting
      super.close(status, headersSent ? trailers : Texts.with(answer, trailers));
    }
  }

  /** The first to say how it ended is right: who cancels does not wait for what is closed later. */
  void finish(int status) {
    if (finished.compareAndSet(false, true)) {
      answer.finished(status);
    }
  }

  /** Calls the handler. */
  ServerCall.Listener<Q> start(Metadata headers, ServerCallHandler<Q, A> next) {
    boolean started = false;
    try {
      ServerCall.Listener<Q> listener = watched(next.startCall(this, headers));
      started = true;
      return listener;
    } finally {
      if (!started) {
        finish(Codes.FAILED);
      }
    }
  }

  /** Sees also the calls that end without the handler having closed them. */
  private ServerCall.Listener<Q> watched(ServerCall.Listener<Q> listener) {
    return new SimpleForwardingServerCallListener<>(listener) {
      @Override
      public void onCancel() {
        finish(Codes.CANCELLED);
        super.onCancel();
      }

      @Override
      public void onComplete() {
        finish(Codes.FAILED); // the handler threw, and the server closed the call
        super.onComplete();
      }
    };
  }
}
