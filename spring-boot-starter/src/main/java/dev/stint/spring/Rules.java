package dev.stint.spring;

import dev.stint.Limit;
import dev.stint.http.Completion;
import dev.stint.http.KeySource;
import dev.stint.http.PatternSyntax;
import dev.stint.http.Request;
import dev.stint.http.Rule;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;

/** Makes rules out of properties; whatever is wrong is told by the property's name. */
final class Rules {

  private static final String LIMIT_ACTION =
      "Write an amount and a time, such as 100/min, 5/second burst 20 or 1000/day fixed-window;"
          + " several limits are joined by semicolons. Or write an expression that finds them, such as"
          + " @plans.limitFor(#principal).";
  private static final String FALLBACK_ACTION =
      "Write an amount and a time, such as 10/min, for requests for which the expression in limit"
          + " fails.";
  private static final String CONDITION_ACTION =
      "Write an expression that is true or false, such as header('X-Internal') == null or"
          + " @plans.isFree(#principal).";
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

  private final Map<String, KeySource> named;
  private final Stores stores;
  private final PatternSyntax syntax;
  private final BeanFactory beans;

  Rules(Map<String, KeySource> named, Stores stores, PatternSyntax syntax, BeanFactory beans) {
    this.named = named;
    this.stores = stores;
    this.syntax = syntax;
    this.beans = beans;
  }

  List<Rule> of(Map<String, StintProperties.Rule> rules) {
    return rules.entrySet().stream()
        .filter(rule -> rule.getValue().mode() != StintProperties.Mode.OFF)
        .map(rule -> rule(rule.getKey(), rule.getValue()))
        .toList();
  }

  private Rule rule(String name, StintProperties.Rule properties) {
    String place = "stint.rules." + name;
    Rule rule = limited(place, name, properties);
    rule = rule.by(source(place + ".by", properties.by()));
    rule = rule.missingKey(properties.missingKey());
    rule = costing(rule, place + ".cost", properties.cost());
    rule = onlyWhen(rule, place, properties);
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

  private Rule limited(String place, String name, StintProperties.Rule properties) {
    String limit = properties.limit();
    String fallback = properties.fallbackLimit();
    if (limit != null && LimitExpression.isOne(limit)) {
      RequestExpression expression = expression(place + ".limit", limit, LIMIT_ACTION);
      Rule rule =
          named(place, name, () -> Rule.ofAsync(name, new LimitExpression(expression)::of))
              .limitsDescribedAs(limit);
      rule = late(rule, expression);
      if (fallback == null) {
        return rule;
      }
      Limit[] limits = limits(place + ".fallback-limit", fallback, FALLBACK_ACTION);
      return rule.fallback(limits);
    }
    if (fallback != null) {
      throw new WrongPropertyException(
          place + ".fallback-limit",
          fallback,
          "a fallback is for a limit that is an expression",
          "Remove it, or write an expression such as @plans.limitFor(#principal) in limit.",
          null);
    }
    Limit[] limits = limits(place + ".limit", limit, LIMIT_ACTION);
    return named(place, name, () -> Rule.of(name, limits));
  }

  private static Rule named(String place, String name, Supplier<Rule> made) {
    return checked(
        place,
        name,
        "Give it a name of letters, digits, '_', '.' and '-', and limits that differ.",
        made);
  }

  private static Limit[] limits(String property, @Nullable String limits, String action) {
    if (limits == null || limits.isBlank()) {
      throw new WrongPropertyException(property, limits, "a rule must have a limit", action, null);
    }
    return checked(property, limits, action, () -> Limit.parseAll(limits).toArray(Limit[]::new));
  }

  private RequestExpression expression(String property, String text, String action) {
    return checked(property, text, action, () -> RequestExpression.parse(text.strip(), beans));
  }

  private Rule onlyWhen(Rule rule, String place, StintProperties.Rule properties) {
    Rule changed = rule;
    if (properties.when() != null) {
      RequestExpression when = expression(place + ".when", properties.when(), CONDITION_ACTION);
      changed = late(changed, when).when(request -> holds(when, request));
    }
    if (properties.unless() != null) {
      RequestExpression not = expression(place + ".unless", properties.unless(), CONDITION_ACTION);
      changed = late(changed, not).unless(request -> holds(not, request));
    }
    return changed;
  }

  private static boolean holds(RequestExpression condition, Request request) {
    Boolean holds = condition.of(request, Boolean.class);
    if (holds == null) {
      throw new IllegalStateException("a condition must be true or false: null: " + condition);
    }
    return holds;
  }

  /** The rule, asked after authentication if the expression looks at the principal. */
  private static Rule late(Rule rule, RequestExpression expression) {
    return expression.needsPrincipal() ? rule.afterAuthentication() : rule;
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

  private Rule costing(Rule rule, String property, String cost) {
    String text = cost.strip();
    if (text.matches("[+-]?[0-9]+")) {
      return checked(property, cost, COST_ACTION, () -> rule.cost(Long.parseLong(text)));
    }
    RequestExpression expression = expression(property, cost, COST_ACTION);
    return late(rule, expression).cost(request -> computed(expression, request));
  }

  /** One at least: whatever a client writes into its request, it must not make it free. */
  private static long computed(RequestExpression expression, Request request) {
    try {
      Long units = expression.of(request, Long.class);
      return units == null ? 1 : Math.max(1, units);
    } catch (RuntimeException e) { // also what the expression's own methods throw
      return 1;
    }
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
