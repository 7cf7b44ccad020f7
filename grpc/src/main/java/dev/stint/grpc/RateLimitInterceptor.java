package dev.stint.grpc;

import dev.stint.http.Answer;
import dev.stint.http.HttpLimiter;
import dev.stint.http.Refusal;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets calls pass to gRPC services as the rules of an {@link HttpLimiter} say.
 *
 * <p>To rules a call is a POST to {@code /package.Service/Method} whose headers are the metadata.
 * It is charged once, when it begins, however many messages follow. A call that may not pass is
 * closed with {@code RESOURCE_EXHAUSTED} and never reaches its handler.
 *
 * <p>No thread waits for a store that is far away. Several interceptors of this kind may follow one
 * another, each with its own limiter; what clients are told then speaks of all.
 */
public final class RateLimitInterceptor implements ServerInterceptor {

  private final Supplier<HttpLimiter> limiter;
  private final Function<ServerCall<?, ?>, @Nullable String> principal;
  private final @Nullable Executor executor;

  /** An interceptor that asks this limiter. */
  public RateLimitInterceptor(HttpLimiter limiter) {
    this(() -> limiter, call -> null, null);
    notNull(limiter, "limiter");
  }

  /** An interceptor that asks the limiter that {@code limiter} has when a call comes. */
  public static RateLimitInterceptor asking(Supplier<HttpLimiter> limiter) {
    return new RateLimitInterceptor(limiter, call -> null, null);
  }

  private RateLimitInterceptor(
      Supplier<HttpLimiter> limiter,
      Function<ServerCall<?, ?>, @Nullable String> principal,
      @Nullable Executor executor) {
    this.limiter = notNull(limiter, "limiter");
    this.principal = notNull(principal, "principal");
    this.executor = executor;
  }

  private static <T> T notNull(T value, String name) {
    if (value == null) {
      throw new IllegalArgumentException(name + " must not be null");
    }
    return value;
  }

  /** This interceptor, finding in the call's context the name of whoever is authenticated. */
  public RateLimitInterceptor principal(Context.Key<String> key) {
    notNull(key, "key");
    return principal(call -> key.get());
  }

  /**
   * This interceptor, finding by a function the name of whoever is authenticated, for example in
   * the call's TLS session; null for strangers. The call's context is the current one meanwhile.
   */
  public RateLimitInterceptor principal(Function<ServerCall<?, ?>, @Nullable String> find) {
    return new RateLimitInterceptor(limiter, find, executor);
  }

  /**
   * This interceptor, starting handlers by {@code executor} where the store has answered on a
   * thread of its own; best is the one that the server was given. Threads are made as they are
   * needed if none is given, as gRPC's servers do.
   */
  public RateLimitInterceptor executor(Executor executor) {
    return new RateLimitInterceptor(limiter, principal, notNull(executor, "executor"));
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    Answer earlier = call.getAttributes().get(LimitedCall.ANSWER);
    GrpcCall asking = new GrpcCall(call, headers, principal);
    CompletableFuture<Answer> answer =
        (executor == null
                ? limiter.get().decideAsync(asking, earlier)
                : limiter.get().decideAsync(asking, earlier, executor))
            .toCompletableFuture();
    if (answer.isDone()) {
      return proceed(answer.join(), call, headers, next);
    }
    PendingCall<Q, A> pending = new PendingCall<>(call, headers, next);
    var unused = answer.whenComplete(pending::answered);
    return pending.listener();
  }

  private static <Q, A> ServerCall.Listener<Q> proceed(
      Answer answer, ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    Refusal refusal = answer.refusal().orElse(null);
    if (refusal != null) {
      Refused.close(call, answer, refusal);
      return new ServerCall.Listener<>() {};
    }
    return new LimitedCall<>(call, answer).start(headers, next);
  }
}
