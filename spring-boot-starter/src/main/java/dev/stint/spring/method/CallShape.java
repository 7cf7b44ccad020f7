package dev.stint.spring.method;

import dev.stint.http.Answer;
import java.lang.reflect.Method;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ClassUtils;

/** How a decision and the call that it is about come together, by what the method returns. */
@FunctionalInterface
interface CallShape {

  boolean REACTOR_PRESENT =
      ClassUtils.isPresent("reactor.core.publisher.Flux", CallShape.class.getClassLoader());

  @Nullable Object invoke(LimitedMethod limited, MethodInvocation invocation) throws Throwable;

  static CallShape of(Method method) {
    Class<?> type = method.getReturnType();
    if (isReactive(method)) {
      ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
      return adapter == null ? ReactiveShape.suspending(method) : ReactiveShape.of(adapter);
    }
    boolean future = type == CompletableFuture.class || type == CompletionStage.class;
    return future ? CallShape::stage : CallShape::blocking;
  }

  /** Whether what the method returns is subscribed to, or it suspends. */
  static boolean isReactive(Method method) {
    if (!REACTOR_PRESENT) {
      return false;
    }
    if (KotlinDetector.isSuspendingFunction(method)) {
      return true;
    }
    ReactiveAdapter adapter =
        ReactiveAdapterRegistry.getSharedInstance().getAdapter(method.getReturnType());
    return adapter != null && adapter.getDescriptor().isDeferred(); // no kind of future
  }

  private static @Nullable Object blocking(LimitedMethod limited, MethodInvocation invocation)
      throws Throwable {
    return limited.proceed(limited.decide(invocation), invocation);
  }

  private static CompletionStage<?> stage(LimitedMethod limited, MethodInvocation invocation) {
    CompletableFuture<Answer> asked;
    try {
      asked = limited.decideAsync(invocation).toCompletableFuture();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
    if (asked.isDone() && !asked.isCompletedExceptionally()) {
      return called(limited, asked.join(), invocation); // the method's own future, not a copy
    }
    // Not thenCompose: that would wrap what went wrong.
    CompletableFuture<Object> result = new CompletableFuture<>();
    var unused =
        asked.whenComplete(
            (answer, failure) -> {
              if (failure != null) {
                result.completeExceptionally(failure);
              } else {
                called(limited, answer, invocation).whenComplete(into(result));
              }
            });
    return result;
  }

  private static BiConsumer<@Nullable Object, @Nullable Throwable> into(
      CompletableFuture<Object> result) {
    return (value, failure) -> {
      if (failure != null) {
        result.completeExceptionally(failure);
      } else {
        result.complete(value);
      }
    };
  }

  private static CompletionStage<?> called(
      LimitedMethod limited, Answer answer, MethodInvocation invocation) {
    try {
      CompletionStage<?> stage = (CompletionStage<?>) limited.proceed(answer, invocation);
      return stage == null ? CompletableFuture.completedFuture(null) : stage;
    } catch (Throwable e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
