package dev.stint.grpc;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;

/** An interceptor in front: sees what is asked of the call, and what the call was told. */
abstract class Outer implements ServerInterceptor {

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    ServerCall<Q, A> seen =
        new SimpleForwardingServerCall<>(call) {
          @Override
          public void request(int messages) {
            requested(messages);
            super.request(messages);
          }
        };
    begins(call);
    return new SimpleForwardingServerCallListener<>(next.startCall(seen, headers)) {
      @Override
      public void onMessage(Q message) {
        super.onMessage(message);
        messagePassed();
      }

      @Override
      public void onCancel() {
        super.onCancel();
        cancelPassed();
      }
    };
  }

  void begins(ServerCall<?, ?> call) {}

  void requested(int messages) {}

  void messagePassed() {}

  void cancelPassed() {}
}
