package dev.stint.spring.method;

import dev.stint.http.Request;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.expression.EvaluationContext;

/** A call as expressions see it. */
final class MethodCall {

  /** What expressions see as {@code #root}. */
  record Root(
      Method method, List<@Nullable Object> args, @Nullable Object target, Class<?> targetClass) {}

  private final Method method;
  private final Class<?> type;
  private final MethodInvocation invocation;
  private final BeanFactory beans;
  private final @Nullable Request request;
  private @Nullable EvaluationContext context;

  /**
   * A call.
   *
   * @param request the web request that it is for, where keys need one; null if there is none
   */
  MethodCall(
      Method method,
      Class<?> type,
      MethodInvocation invocation,
      BeanFactory beans,
      @Nullable Request request) {
    this.method = method;
    this.type = type;
    this.invocation = invocation;
    this.beans = beans;
    this.request = request;
  }

  @Nullable Request request() {
    return request;
  }

  /** What expressions are evaluated in; only calls that need one make it. */
  EvaluationContext context() {
    EvaluationContext known = context;
    if (known == null) {
      Object[] arguments = invocation.getArguments();
      Root root = new Root(method, Arrays.asList(arguments), invocation.getThis(), type);
      MethodBasedEvaluationContext made =
          new MethodBasedEvaluationContext(root, method, arguments, CallExpression.NAMES);
      made.setBeanResolver(new BeanFactoryResolver(beans));
      known = made;
      context = known;
    }
    return known;
  }
}
