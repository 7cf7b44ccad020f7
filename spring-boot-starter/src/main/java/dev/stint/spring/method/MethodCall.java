package dev.stint.spring.method;

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
  private @Nullable EvaluationContext context;

  MethodCall(Method method, Class<?> type, MethodInvocation invocation, BeanFactory beans) {
    this.method = method;
    this.type = type;
    this.invocation = invocation;
    this.beans = beans;
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
