package dev.stint.spring.method;

import dev.stint.http.CallLimiter;
import dev.stint.spring.HttpLimiters;
import dev.stint.spring.RateLimited;
import dev.stint.spring.Stores;
import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotationUtils;

/** Puts a decision before every call of a method that is {@code @RateLimited}. */
public final class RateLimitedAdvisor extends StaticMethodMatcherPointcutAdvisor {

  private static final long serialVersionUID = 1L;

  /** After method security, which is below 1000; before transactions and caches, which are last. */
  private static final int ORDER = 1000;

  private final transient LimitedMethods methods;

  /**
   * An advisor that asks for the store only when the first limited method is called.
   *
   * @param limiters by which keys of requests are read as for rules
   * @param settings makes a limiter without rules that answers as the application's filters do
   */
  public RateLimitedAdvisor(
      ConfigurableListableBeanFactory beans,
      Supplier<Stores> stores,
      Supplier<HttpLimiters> limiters,
      Supplier<CallLimiter.Builder> settings) {
    methods =
        new LimitedMethods(
            beans,
            new WebRequests(beans, limiters),
            budgets -> {
              CallLimiter.Builder limiter = settings.get();
              for (Budget budget : budgets) {
                limiter.rule(budget.rule().in(stores.get().orElse(budget.onStoreError())));
              }
              return limiter.build();
            });
    setOrder(ORDER);
    setClassFilter(type -> AnnotationUtils.isCandidateClass(type, RateLimited.class));
    setAdvice((MethodInterceptor) this::invoke);
  }

  @Override
  public boolean matches(Method method, Class<?> targetClass) {
    return methods.find(method, targetClass) != null;
  }

  /**
   * Refuses limited methods that cannot be used beside these rules: those in force once all beans
   * are there, or those that a reload is about to put in force.
   */
  public void check(HttpLimiters rules) {
    methods.check(rules);
  }

  /** The budgets of all limited methods whose beans were made, by name. */
  public List<MethodBudget> budgets() {
    return MethodBudget.of(methods.all());
  }

  /** Whether a method counts by request and can only know it by the thread that calls it. */
  public boolean needsRequestOfThread(Method method, Class<?> type) {
    LimitedMethod limited = methods.known(method, type);
    return limited != null && limited.needsRequestOfThread();
  }

  private @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
    Object target = invocation.getThis();
    Method method = invocation.getMethod();
    Class<?> type = target == null ? method.getDeclaringClass() : AopUtils.getTargetClass(target);
    LimitedMethod limited = methods.find(method, type);
    return limited == null ? invocation.proceed() : limited.invoke(invocation);
  }
}
