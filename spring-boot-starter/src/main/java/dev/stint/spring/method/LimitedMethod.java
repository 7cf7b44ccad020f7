package dev.stint.spring.method;

import dev.stint.http.Answer;
import dev.stint.http.CallLimiter;
import dev.stint.spring.RateLimitedException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.function.SingletonSupplier;

/** A method with all that was said of it, read once. */
final class LimitedMethod {

  private final Method method;
  private final Class<?> type;
  private final List<Budget> budgets;
  private final BeanFactory beans;
  private final @Nullable Fallback fallback;
  private final CallShape shape;
  // The store is a bean like others, so it must not be made while beans are still being looked at.
  private final SingletonSupplier<CallLimiter> limiter;

  LimitedMethod(
      Method method,
      Class<?> type,
      List<Budget> budgets,
      @Nullable Fallback fallback,
      BeanFactory beans,
      Function<List<Budget>, CallLimiter> limiters) {
    this.method = method;
    this.type = type;
    this.budgets = budgets;
    this.beans = beans;
    this.fallback = fallback;
    this.shape = CallShape.of(method);
    this.limiter = SingletonSupplier.of(() -> limiters.apply(budgets));
  }

  @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
    return shape.invoke(this, invocation);
  }

  Answer decide(MethodInvocation invocation) {
    return limiter.obtain().decide(uses(invocation));
  }

  /** Decides on a thread that the method may keep. */
  CompletionStage<Answer> decideAsync(MethodInvocation invocation) {
    return limiter.obtain().decideAsync(uses(invocation));
  }

  CompletionStage<Answer> decideAsync(MethodInvocation invocation, Executor executor) {
    return limiter.obtain().decideAsync(uses(invocation), executor);
  }

  private List<CallLimiter.Use> uses(MethodInvocation invocation) {
    MethodCall call = new MethodCall(method, type, invocation, beans);
    return budgets.stream().map(budget -> budget.use(call)).toList();
  }

  /** Calls the method, or what stands in for it. */
  @Nullable Object proceed(Answer answer, MethodInvocation invocation) throws Throwable {
    if (answer.allowed()) {
      return invocation.proceed();
    }
    if (fallback != null) {
      return fallback.call(invocation);
    }
    throw RateLimitedException.of(type.getSimpleName() + "." + method.getName(), answer);
  }
}
