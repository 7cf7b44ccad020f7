package dev.stint.spring;

import dev.stint.Decision;
import dev.stint.Limit;
import dev.stint.StoreException;
import dev.stint.http.Rule;
import dev.stint.spring.method.MethodBudget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.lang.Nullable;

/**
 * The rules, the budgets of limited methods and the store, and what is counted for one key, under
 * {@code /actuator/stint}.
 *
 * <p>A key is a query parameter, since it may have any character in it, and servers refuse encoded
 * slashes in paths.
 */
@Endpoint(id = "stint")
public class StintEndpoint {

  private final HttpLimiters limiters;
  private final Stores stores;
  private final StintProperties properties;
  private final @org.jspecify.annotations.Nullable RulesReloader reloader;
  private final Supplier<List<MethodBudget>> methods;

  StintEndpoint(
      HttpLimiters limiters,
      Stores stores,
      StintProperties properties,
      @org.jspecify.annotations.Nullable RulesReloader reloader,
      Supplier<List<MethodBudget>> methods) {
    this.methods = methods;
    this.limiters = limiters;
    this.stores = stores;
    this.properties = properties;
    this.reloader = reloader;
  }

  /** All rules, the budgets of limited methods, and how the store is. */
  @ReadOperation
  public Map<String, Object> everything() {
    List<Map<String, Object>> rules = new ArrayList<>();
    RulesInForce inForce = limiters.inForce();
    inForce
        .beforeAuthentication()
        .rules()
        .forEach(rule -> rules.add(described(rule, "before-authentication")));
    inForce
        .afterAuthentication()
        .rules()
        .forEach(rule -> rules.add(described(rule, "after-authentication")));
    inForce
        .propertiesOr(properties)
        .rules()
        .forEach(
            (name, rule) -> {
              if (rule.mode() == StintProperties.Mode.OFF) {
                rules.add(Map.of("name", name, "mode", "off"));
              }
            });
    Map<String, Object> words = ordered("store", store(), "rules", rules);
    words.put("methods", methods.get().stream().map(StintEndpoint::described).toList());
    if (reloader != null) {
      reloader
          .problem()
          .ifPresent(
              problem -> words.put("reload", ordered("state", "refused", "problem", problem)));
    }
    return words;
  }

  /**
   * One rule or budget of methods; or, with a key as that finds it, such as {@code 203.0.113.9},
   * what it would say to the next request or call. Nothing is charged. If a rule's limits depend on
   * the request, {@code limit} says which ones are meant.
   */
  @ReadOperation
  public WebEndpointResponse<Map<String, Object>> rule(
      @Selector String rule, @Nullable String key, @Nullable String limit) {
    return known(
        rule,
        () -> {
          if (key == null) {
            return answer(200, described(rule));
          }
          return key.isBlank() ? noKey() : answer(200, peeked(peek(rule, key, limit)));
        });
  }

  private List<Decision> peek(String rule, String key, @Nullable String limit) {
    MethodBudget method = method(rule);
    if (method != null) {
      return method.peek(key);
    }
    return List.of(
        limit == null ? limiters.peek(rule, key) : limiters.peek(rule, key, Limit.parseAll(limit)));
  }

  /** Forgets what a rule, or a budget of methods, has counted for a key. */
  @DeleteOperation
  public WebEndpointResponse<Map<String, Object>> reset(
      @Selector String rule, @Nullable String key, @Nullable String limit) {
    return known(
        rule,
        () -> {
          if (key == null || key.isBlank()) {
            return noKey();
          }
          MethodBudget method = method(rule);
          if (method != null) {
            method.reset(key);
          } else if (limit == null) {
            limiters.reset(rule, key);
          } else {
            limiters.reset(rule, key, Limit.parseAll(limit));
          }
          return new WebEndpointResponse<>(204);
        });
  }

  private WebEndpointResponse<Map<String, Object>> known(
      String rule, Supplier<WebEndpointResponse<Map<String, Object>>> made) {
    TreeSet<String> names = new TreeSet<>(limiters.rules().stream().map(Rule::name).toList());
    methods.get().forEach(method -> names.add(method.name()));
    if (!names.contains(rule)) {
      return problem(404, "the name of a rule must be one of " + names + ": " + rule);
    }
    try {
      return made.get();
    } catch (IllegalArgumentException e) {
      String hint = method(rule) == null ? "; write it as in &limit=100/min" : "";
      return problem(400, e.getMessage() + hint);
    } catch (StoreException e) {
      return problem(503, "the store cannot be asked: " + e.getMessage());
    }
  }

  private static WebEndpointResponse<Map<String, Object>> noKey() {
    return problem(400, "a key must be given, as in ?key=203.0.113.9");
  }

  private static WebEndpointResponse<Map<String, Object>> problem(int status, String text) {
    return answer(status, Map.of("problem", text));
  }

  private static WebEndpointResponse<Map<String, Object>> answer(
      int status, Map<String, Object> body) {
    return new WebEndpointResponse<>(body, status);
  }

  /** The budget of methods that has this name; null if it is a rule's. */
  private @Nullable MethodBudget method(String name) {
    return limiters.rules().stream().anyMatch(rule -> rule.name().equals(name))
        ? null
        : methods.get().stream()
            .filter(method -> method.name().equals(name))
            .findFirst()
            .orElse(null);
  }

  private Map<String, Object> described(String name) {
    MethodBudget method = method(name);
    if (method != null) {
      return described(method);
    }
    Rule rule =
        limiters.rules().stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
    boolean late = limiters.afterAuthentication().rules().contains(rule);
    return described(rule, late ? "after-authentication" : "before-authentication");
  }

  private static Map<String, Object> described(MethodBudget budget) {
    Map<String, Object> words =
        ordered("name", budget.name(), "mode", budget.isShadow() ? "shadow" : "enforce");
    words.put("limits", budget.limits());
    words.put("by", budget.by());
    words.put("methods", budget.methods());
    return words;
  }

  private static Map<String, Object> described(Rule rule, String phase) {
    Map<String, Object> words =
        ordered("name", rule.name(), "mode", rule.isShadow() ? "shadow" : "enforce");
    words.put("limits", rule.limitWords());
    if (rule.hasLimitsByRequest()) {
      words.put("fallback", rule.limits().stream().map(Limit::toString).toList());
    }
    words.put("by", rule.source().toString());
    words.put("match", rule.routes());
    words.put("phase", phase);
    return words;
  }

  private Map<String, Object> store() {
    Map<String, Object> words = ordered("kind", stores.kind(), "state", "up");
    stores
        .trouble()
        .ifPresent(
            reason -> {
              words.put("state", "degraded");
              words.put("trouble", reason);
            });
    return words;
  }

  private static Map<String, Object> peeked(List<Decision> decisions) {
    Map<String, Object> words =
        ordered(
            "allowed",
            decisions.stream().allMatch(Decision::allowed),
            "degraded",
            decisions.stream().anyMatch(Decision::degraded));
    decisions.stream()
        .flatMap(decision -> decision.reason().stream())
        .findFirst()
        .ifPresent(reason -> words.put("reason", reason));
    words.put(
        "limits",
        decisions.stream()
            .flatMap(decision -> decision.limits().stream())
            .map(StintEndpoint::counted)
            .toList());
    return words;
  }

  private static Map<String, Object> counted(Decision answer) {
    Map<String, Object> words =
        ordered("limit", answer.limit().toString(), "allowed", answer.allowed());
    words.put("used", answer.used());
    words.put("remaining", answer.remaining());
    words.put("retryAfter", text(answer.retryAfter()));
    words.put("resetAfter", text(answer.resetAfter()));
    return words;
  }

  private static String text(Duration duration) {
    return duration.equals(Decision.NEVER) ? "never" : duration.toString();
  }

  private static Map<String, Object> ordered(
      String first, Object one, String second, Object other) {
    Map<String, Object> words = new LinkedHashMap<>();
    words.put(first, one);
    words.put(second, other);
    return words;
  }
}
