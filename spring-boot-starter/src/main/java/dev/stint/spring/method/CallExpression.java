package dev.stint.spring.method;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.InlineList;
import org.springframework.expression.spel.ast.Operator;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** An expression over the arguments of a call, parsed once. */
final class CallExpression {

  static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

  private static final Set<String> ROOT = Set.of("method", "args", "target", "targetClass");

  private final SpelExpression expression;

  private CallExpression(SpelExpression expression) {
    this.expression = expression;
  }

  /** Parses it, and checks that it asks for nothing that calls of the method have not. */
  static CallExpression parse(String text, Method method) {
    SpelExpression parsed = new SpelExpressionParser().parseRaw(text);
    checkStart(parsed.getAST());
    checkVariables(parsed.getAST(), variables(method));
    return new CallExpression(parsed);
  }

  @Nullable Object of(MethodCall call) {
    return expression.getValue(call.context());
  }

  /** Whether a text could be an expression, with or without the # that it needs. */
  static boolean mayBegin(String text, Method method) {
    String first = text.split("\\W", 2)[0];
    return ROOT.contains(first) || variables(method).contains("#" + first);
  }

  /** A forgotten # is told at the start, not at the first call; also on either side of a plus. */
  private static void checkStart(SpelNode node) {
    SpelNode first = node instanceof CompoundExpression ? node.getChild(0) : node;
    if (first instanceof PropertyOrFieldReference property && !ROOT.contains(property.getName())) {
      throw new IllegalArgumentException(
          "an expression must begin with a parameter, such as #"
              + property.getName()
              + ": "
              + property.getName());
    }
    if (node instanceof Operator || node instanceof InlineList) {
      for (int i = 0; i < node.getChildCount(); i++) {
        checkStart(node.getChild(i));
      }
    }
  }

  /** A variable that nobody sets is null: all callers would share one budget, unnoticed. */
  private static void checkVariables(SpelNode node, Set<String> known) {
    if (node instanceof VariableReference && !known.contains(node.toStringAST())) {
      throw new IllegalArgumentException(
          "a variable must be one of " + known + ": " + node.toStringAST());
    }
    for (int i = 0; i < node.getChildCount(); i++) {
      checkVariables(node.getChild(i), known);
    }
  }

  private static Set<String> variables(Method method) {
    Set<String> known = new LinkedHashSet<>();
    String[] names = NAMES.getParameterNames(method);
    if (names != null) {
      Arrays.stream(names).forEach(name -> known.add("#" + name));
    }
    int count = names == null ? method.getParameterCount() : names.length;
    for (int i = 0; i < count; i++) {
      known.add("#p" + i);
      known.add("#a" + i);
    }
    known.add("#root");
    known.add("#this");
    return known;
  }
}
