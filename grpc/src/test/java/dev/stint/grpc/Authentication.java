package dev.stint.grpc;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;

/** Believes whoever says a name. */
final class Authentication implements ServerInterceptor {

  static final Context.Key<String> USER = Context.key("user");

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    String user = headers.get(Metadata.Key.of("user", Metadata.ASCII_STRING_MARSHALLER));
    Context context = Context.current().withValue(USER, user);
    return Contexts.interceptCall(context, call, headers, next);
  }
}
