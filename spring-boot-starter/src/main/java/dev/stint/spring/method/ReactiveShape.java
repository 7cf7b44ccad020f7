package dev.stint.spring.method;

import dev.stint.http.Answer;
import dev.stint.http.Request;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.MethodParameter;
import org.springframework.core.ReactiveAdapter;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Methods whose result is subscribed to: every subscription is decided, and calls the method. */
final class ReactiveShape {

  /** Such methods do not block, so they go on in the threads that Reactor has for that. */
  private static final Executor PARALLEL = work -> Schedulers.parallel().schedule(work);

  private ReactiveShape() {}

  static CallShape of(ReactiveAdapter adapter) {
    return (limited, invocation) ->
        adapter.fromPublisher(
            decided(limited, invocation, adapter.isMultiValue(), adapter::toPublisher));
  }

  /** Spring calls suspending functions as publishers, and awaits the publisher that comes back. */
  static CallShape suspending(Method method) {
    boolean flow =
        new MethodParameter(method, -1)
            .getParameterType()
            .getName()
            .equals("kotlinx.coroutines.flow.Flow");
    return (limited, invocation) -> decided(limited, invocation, flow, ReactiveShape::publisher);
  }

  private static Publisher<?> publisher(@Nullable Object value) {
    return value instanceof Publisher<?> publisher ? publisher : Mono.justOrEmpty(value);
  }

  private static Publisher<?> decided(
      LimitedMethod limited,
      MethodInvocation invocation,
      boolean many,
      Function<@Nullable Object, Publisher<?>> publisher) {
    Mono<Answer> answer = answer(limited, invocation, limited.requestOfThread());
    return many
        ? answer.flatMapMany(given -> call(limited, given, invocation, publisher))
        : answer.flatMap(given -> Mono.from(call(limited, given, invocation, publisher)));
  }

  /** Asks at each subscription, for the request that the caller or the subscription is for. */
  private static Mono<Answer> answer(
      LimitedMethod limited, MethodInvocation invocation, @Nullable Request caller) {
    if (caller == null && limited.subscribedRequests() instanceof ReactiveRequest requests) {
      return Mono.deferContextual(
          context ->
              requests
                  .of(context, invocation.getArguments())
                  .map(Optional::of)
                  .defaultIfEmpty(Optional.empty())
                  .flatMap(found -> ask(limited, invocation, found.orElse(null))));
    }
    return Mono.defer(() -> ask(limited, invocation, caller));
  }

  private static Mono<Answer> ask(
      LimitedMethod limited, MethodInvocation invocation, @Nullable Request request) {
    return Mono.fromFuture(
        limited.decideAsync(invocation, request, PARALLEL).toCompletableFuture(), true);
  }

  /** An invocation proceeds only once, so each subscription has its own. */
  private static Publisher<?> call(
      LimitedMethod limited,
      Answer answer,
      MethodInvocation invocation,
      Function<@Nullable Object, Publisher<?>> publisher) {
    MethodInvocation own =
        invocation instanceof ProxyMethodInvocation proxied ? proxied.invocableClone() : invocation;
    try {
      return publisher.apply(limited.proceed(answer, own));
    } catch (Throwable e) {
      return Mono.error(e);
    }
  }
}
