package dev.stint.spring;

import dev.stint.Limit;
import dev.stint.http.Completion;
import dev.stint.http.KeySource;
import dev.stint.http.PatternSyntax;
import dev.stint.http.Request;
import dev.stint.http.Rule;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.Expression;
import org.springframework.expression.spel.SpelEvaluationException;
import org.springframework.expression.spel.SpelMessage;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

/** Makes rules out of properties; whatever is wrong is told by the property's name. */
final class Rules {

  private static final String LIMIT_ACTION =
      "Write an amount and a time, such as 100/min, 5/second burst 20 or 1000/day fixed-window;"
          + " several limits are joined by semicolons.";
  private static final String MATCH_ACTION =
      "Write a pattern such as /api/** or /orders/{id}, with a method in front if it is for that"
          + " only: POST /orders. Several are entries of a list.";
  private static final String BY_ACTION =
      "Write what tells clients apart, such as address, bearer, header:X-Api-Key or"
          + " 'bearer | address'; or the name of a KeySource bean.";
  private static final String COST_ACTION =
      "Write a number of at least 1, or an expression over the request such as"
          + " header('X-Batch-Size').";

  private static final String CHARGE_ON_ACTION =
      "Write statuses such as 401, or authentication-failure to count failed logins whatever the"
          + " response is.";
  private static final String AUTHENTICATION_FAILURE = "authentication-failure";

  /** What no request can mend. */
  private static final Set<SpelMessage> SLIPS =
      EnumSet.of(
          SpelMessage.METHOD_NOT_FOUND,
          SpelMessage.PROPERTY_OR_FIELD_NOT_READABLE,
          SpelMessage.TYPE_NOT_FOUND,
          SpelMessage.NO_BEAN_RESOLVER_REGISTERED);

  private final Map<String, KeySource> named;
  private final Stores stores;
  private final PatternSyntax syntax;

  Rules(Map<String, KeySource> named, Stores stores, PatternSyntax syntax) {
    this.named = named;
    this.stores = stores;
    this.syntax = syntax;
  }

  List<Rule> of(Map<String, StintProperties.Rule> rules) {
    return rules.entrySet().stream()
        .filter(rule -> rule.getValue().mode() != StintProperties.Mode.OFF)
        .map(rule -> rule(rule.getKey(), rule.getValue()))
        .toList();
  }

  private Rule rule(String name, StintProperties.Rule properties) {
    String place = "stint.rules." + name;
    Limit[] limits = limits(place + ".limit", properties.limit());
    Rule rule =
        checked(
            place,
            name,
            "Give it a name of letters, digits, '_', '.' and '-', and limits that differ.",
            () -> Rule.of(name, limits));
    rule = rule.by(source(place + ".by", properties.by()));
    rule = rule.missingKey(properties.missingKey());
    rule = rule.cost(cost(place + ".cost", properties.cost()));
    rule = rule.in(stores.orElse(properties.onStoreError()));
    for (String match : properties.match()) {
      rule = on(rule, place + ".match", match);
    }
    if (!properties.chargeOn().isEmpty()) {
      rule = rule.chargeIf(outcomes(place + ".charge-on", properties.chargeOn()));
    }
    if (properties.headers() != null) {
      rule = rule.headers(properties.headers());
    }
    return properties.mode() == StintProperties.Mode.SHADOW ? rule.shadow() : rule;
  }

  private static Limit[] limits(String property, @Nullable String limits) {
    if (limits == null || limits.isBlank()) {
      throw new WrongPropertyException(
          property, limits, "a rule must have a limit", LIMIT_ACTION, null);
    }
    return checked(
        property, limits, LIMIT_ACTION, () -> Limit.parseAll(limits).toArray(Limit[]::new));
  }

  KeySource source(String property, String words) {
    KeySource bean = named.get(words.strip());
    return bean != null ? bean : checked(property, words, BY_ACTION, () -> KeySource.parse(words));
  }

  private Rule on(Rule rule, String property, String match) {
    String[] words = match.strip().split("\\s+", 2);
    boolean anyMethod = words.length == 1 || words[0].startsWith("/");
    String pattern = anyMethod ? match.strip() : words[1];
    return checked(
        property,
        match,
        MATCH_ACTION,
        () -> {
          Rule matching = anyMethod ? rule.on(pattern) : rule.on(words[0], pattern);
          syntax.parse(pattern);
          return matching;
        });
  }

  private static Predicate<Completion> outcomes(String property, List<String> words) {
    Set<Integer> statuses = new HashSet<>();
    boolean failures = false;
    for (String word : words) {
      if (word.strip().equals(AUTHENTICATION_FAILURE)) {
        failures = true;
      } else {
        statuses.add(checked(property, word, CHARGE_ON_ACTION, () -> status(word.strip())));
      }
    }
    boolean withFailures = failures;
    return outcome ->
        statuses.contains(outcome.status()) || (withFailures && outcome.authenticationFailed());
  }

  private static int status(String word) {
    if (!word.matches("[1-5][0-9][0-9]")) {
      throw new IllegalArgumentException(
          "an outcome must be a status from 100 to 599 or " + AUTHENTICATION_FAILURE + ": " + word);
    }
    return Integer.parseInt(word);
  }

  private static ToLongFunction<Request> cost(String property, String cost) {
    String text = cost.strip();
    if (text.matches("[+-]?[0-9]+")) {
      return checked(property, cost, COST_ACTION, () -> fixed(Long.parseLong(text)));
    }
    Expression expression =
        checked(
            property, cost, COST_ACTION, () -> new SpelExpressionParser().parseExpression(text));
    SimpleEvaluationContext context =
        SimpleEvaluationContext.forReadOnlyDataBinding().withInstanceMethods().build();
    checked(property, cost, COST_ACTION, () -> tried(expression, context));
    return request -> computed(expression, context, request);
  }

  /** A slip of the pen would make every request cost one, unnoticed. */
  private static Expression tried(Expression expression, SimpleEvaluationContext context) {
    try {
      expression.getValue(context, new EmptyRequest());
    } catch (SpelEvaluationException e) {
      if (SLIPS.contains(e.getMessageCode())) {
        throw e;
      }
    } catch (RuntimeException e) {
      return expression; // of an empty request; others may have what it needs
    }
    return expression;
  }

  /** One at least: whatever a client writes into its request, it must not make it free. */
  private static long computed(
      Expression expression, SimpleEvaluationContext context, Request request) {
    try {
      Long units = expression.getValue(context, request, Long.class);
      return units == null ? 1 : Math.max(1, units);
    } catch (RuntimeException e) { // also what the expression's own methods throw
      return 1;
    }
  }

  private static ToLongFunction<Request> fixed(long cost) {
    if (cost < 1) {
      throw new IllegalArgumentException("cost must be at least 1: " + cost);
    }
    return request -> cost;
  }

  /** What {@code made} makes, or a failure that names the property. */
  static <T> T checked(String property, @Nullable String value, String action, Supplier<T> made) {
    try {
      return made.get();
    } catch (WrongPropertyException e) {
      throw e;
    } catch (RuntimeException e) {
      String reason = e.getMessage() == null ? e.toString() : e.getMessage();
      throw new WrongPropertyException(property, value, reason, action, e);
    }
  }
}
