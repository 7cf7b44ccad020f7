package dev.stint.spring;

import dev.stint.http.Request;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.expression.spel.SpelEvaluationException;
import org.springframework.expression.spel.SpelMessage;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/**
 * An expression over a request, parsed once, such as {@code header('X-Batch-Size')}. It knows beans
 * and the variables {@code #principal} and {@code #key}, and no types.
 */
final class RequestExpression {

  private static final Pattern PRINCIPAL = Pattern.compile("\\bprincipal\\b");
  private static final Set<String> VARIABLES = Set.of("#principal", "#key", "#root", "#this");

  /** What no request can put right. */
  private static final Set<SpelMessage> SLIPS =
      EnumSet.of(
          SpelMessage.METHOD_NOT_FOUND,
          SpelMessage.PROPERTY_OR_FIELD_NOT_READABLE,
          SpelMessage.TYPE_NOT_FOUND);

  private final String text;
  private final SpelExpression expression;
  private final BeanFactory beans;

  private RequestExpression(String text, SpelExpression expression, BeanFactory beans) {
    this.text = text;
    this.expression = expression;
    this.beans = beans;
  }

  /**
   * Parses an expression, and refuses what would fail with every request. One that names beans is
   * not tried out: the application may not be ready for it.
   */
  static RequestExpression parse(String text, BeanFactory beans) {
    SpelExpression parsed = new SpelExpressionParser().parseRaw(text);
    RequestExpression expression = new RequestExpression(text, parsed, beans);
    List<String> named = new ArrayList<>();
    check(parsed.getAST(), named);
    for (String bean : named) {
      if (!beans.containsBean(bean)) {
        throw new IllegalArgumentException("an expression must name a bean: there is no " + bean);
      }
    }
    if (named.isEmpty()) {
      expression.tryOut();
    }
    return expression;
  }

  /** Finds the beans that are named, and refuses variables that are never set. */
  private static void check(SpelNode node, List<String> beans) {
    if (node instanceof BeanReference) {
      beans.add(node.toStringAST().replaceAll("[@'\"&]", ""));
    } else if (node instanceof VariableReference && !VARIABLES.contains(node.toStringAST())) {
      throw new IllegalArgumentException(
          "a variable must be #principal, #key or #root: " + node.toStringAST());
    }
    for (int i = 0; i < node.getChildCount(); i++) {
      check(node.getChild(i), beans);
    }
  }

  private void tryOut() {
    try {
      of(new EmptyRequest());
    } catch (SpelEvaluationException e) {
      if (SLIPS.contains(e.getMessageCode())) {
        throw e;
      }
    } catch (RuntimeException ofAnEmptyRequest) {
      return; // others may have what it needs
    }
  }

  /** Whether it looks at who is authenticated, so that it can be asked only when that is known. */
  boolean needsPrincipal() {
    return PRINCIPAL.matcher(text).find();
  }

  @Nullable Object of(Request request) {
    return expression.getValue(context(request), request);
  }

  <T> @Nullable T of(Request request, Class<T> type) {
    return expression.getValue(context(request), request, type);
  }

  private StandardEvaluationContext context(Request request) {
    StandardEvaluationContext context = new StandardEvaluationContext();
    context.setBeanResolver(new BeanFactoryResolver(beans));
    context.setTypeLocator(
        name -> {
          throw new SpelEvaluationException(SpelMessage.TYPE_NOT_FOUND, name);
        });
    context.setVariable("principal", request.principal());
    context.setVariable("key", request.key());
    return context;
  }

  @Override
  public String toString() {
    return text;
  }
}
