package dev.stint.spring.method;

import dev.stint.http.Answer;
import dev.stint.http.CallLimiter;
import dev.stint.http.KeySource;
import dev.stint.http.Request;
import dev.stint.spring.HttpLimiters;
import dev.stint.spring.RateLimitedException;
import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

/** A method with all that was said of it, read once. */
final class LimitedMethod {

  private final Method method;
  private final Class<?> type;
  private final List<Budget> budgets;
  private final BeanFactory beans;
  private final WebRequests requests;
  private final boolean needsRequest;
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
      WebRequests requests,
      Function<List<Budget>, CallLimiter> limiters) {
    this.method = method;
    this.type = type;
    this.budgets = budgets;
    this.beans = beans;
    this.requests = requests;
    this.needsRequest =
        budgets.stream().anyMatch(budget -> budget.key() instanceof CallKey.OfRequest);
    this.fallback = fallback;
    this.shape = CallShape.of(method);
    this.limiter = SingletonSupplier.of(() -> limiters.apply(budgets));
  }

  @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
    return shape.invoke(this, invocation);
  }

  Answer decide(MethodInvocation invocation) {
    return limiter.obtain().decide(uses(invocation, requestOfThread()));
  }

  /** Decides on a thread that the method may keep. */
  CompletionStage<Answer> decideAsync(MethodInvocation invocation) {
    return limiter.obtain().decideAsync(uses(invocation, requestOfThread()));
  }

  CompletionStage<Answer> decideAsync(
      MethodInvocation invocation, @Nullable Request request, Executor executor) {
    return limiter.obtain().decideAsync(uses(invocation, request), executor);
  }

  private List<CallLimiter.Use> uses(MethodInvocation invocation, @Nullable Request request) {
    MethodCall call = new MethodCall(method, type, invocation, beans, request);
    return budgets.stream().map(budget -> budget.use(call)).toList();
  }

  /** The web request that the calling thread works for; null if no key needs it. */
  @Nullable Request requestOfThread() {
    return needsRequest ? requests.current().ofThread() : null;
  }

  /** Whether it can only know its request by the thread that calls it, in WebFlux too. */
  boolean needsRequestOfThread() {
    return needsRequest && !CallShape.isReactive(method);
  }

  /** What finds the request of a subscription; null if no key needs it, and in MVC. */
  @Nullable CurrentRequest subscribedRequests() {
    return needsRequest && requests.areReactive() ? requests.current() : null;
  }

  List<Budget> budgets() {
    return budgets;
  }

  CallLimiter limiter() {
    return limiter.obtain();
  }

  /** The class, by its simple name, and the method. */
  String shortName() {
    return ClassUtils.getShortName(type) + "." + method.getName();
  }

  /** Refuses what shows to be wrong once all beans are there, or beside other rules. */
  void check(HttpLimiters beside) {
    Set<String> rules = new HashSet<>();
    beside.rules().forEach(rule -> rules.add(rule.name()));
    for (Budget budget : budgets) {
      String name = budget.rule().name();
      if (rules.contains(name)) {
        throw wrong(
            "name",
            name,
            "the name must not be that of a rule already: " + name,
            "Give the annotation or the rule another name.");
      }
      if (budget.key() instanceof CallKey.OfRequest key) {
        check(key, beside);
      }
    }
  }

  private void check(CallKey.OfRequest key, HttpLimiters beside) {
    KeySource source = key.source().get();
    if (!beside.beforeAuthentication().finds(source)) {
      throw wrong(
          "by",
          key.words(),
          "a key by tenant must be told how to find one",
          "Set stint.tenant to where a request names its tenant, such as header:X-Tenant.");
    }
    if (source.needsAddress()) {
      requests.current().checkAddresses(beside);
    }
  }

  private WrongAnnotationException wrong(
      String attribute, String value, String reason, String action) {
    String place = type.getName() + "." + method.getName();
    return new WrongAnnotationException(place, attribute, value, reason, action, null);
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
