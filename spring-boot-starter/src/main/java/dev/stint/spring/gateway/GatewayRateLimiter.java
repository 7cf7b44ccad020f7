package dev.stint.spring.gateway;

import dev.stint.Limit;
import dev.stint.http.Answer;
import dev.stint.http.CallLimiter;
import dev.stint.http.Rule;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.gateway.event.FilterArgsEvent;
import org.springframework.cloud.gateway.filter.ratelimit.AbstractRateLimiter;
import org.springframework.cloud.gateway.route.RouteDefinitionRouteLocator;
import org.springframework.cloud.gateway.support.ConfigurationService;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The limiter behind the filter {@code RequestRateLimiter} of Spring Cloud Gateway, which counts in
 * the application's store. Each route has limits of its own:
 *
 * <pre>{@code
 * filters:
 *   - name: RequestRateLimiter
 *     args:
 *       stint.limit: 100/min burst 20; 5000/day
 *       key-resolver: "#{@apiKey}"
 * }</pre>
 *
 * <p>What the key resolver finds is the key. The name of the rule is the route's id, so routes do
 * not share budgets.
 */
public final class GatewayRateLimiter extends AbstractRateLimiter<GatewayRateLimiter.Config> {

  /** What the arguments of a filter begin with. */
  public static final String ARGUMENTS = "stint";

  private static final Set<String> KNOWN = Set.of(ARGUMENTS + ".limit", ARGUMENTS + ".cost");

  private final Function<Rule, CallLimiter> limiters;
  private final Map<String, LimitedRoute> routes = new ConcurrentHashMap<>();

  /** A route as it was set up when it was last asked. */
  private record LimitedRoute(String limit, long cost, CallLimiter limiter) {

    boolean has(Config config) {
      return limit.equals(config.limit) && cost == config.cost;
    }
  }

  /**
   * A limiter for routes.
   *
   * @param configuration binds the arguments of routes
   * @param limiters makes the limiter of a rule
   */
  public GatewayRateLimiter(
      ConfigurationService configuration, Function<Rule, CallLimiter> limiters) {
    super(Config.class, ARGUMENTS, configuration);
    this.limiters = limiters;
  }

  /** Refuses a misspelt argument, which would leave a route without its limit. */
  @Override
  public void onApplicationEvent(FilterArgsEvent event) {
    for (String name : event.getArgs().keySet()) {
      String argument = name.toLowerCase(Locale.ROOT);
      if (argument.startsWith(ARGUMENTS + ".") && !KNOWN.contains(argument)) {
        throw new IllegalArgumentException(
            "the arguments of the route "
                + event.getRouteId()
                + " must be stint.limit and stint.cost: "
                + name
                + " is neither");
      }
    }
    super.onApplicationEvent(event);
  }

  @Override
  public Mono<Response> isAllowed(String routeId, String id) {
    return Mono.defer(() -> ask(route(routeId), id)).map(GatewayRateLimiter::response);
  }

  /** No request goes on in a thread of the store's client, which brings all answers. */
  private static Mono<Answer> ask(LimitedRoute route, String id) {
    CompletableFuture<Answer> asked =
        route.limiter.decideAsync(List.of(RouteKey.use(id, route.cost))).toCompletableFuture();
    Mono<Answer> answer = Mono.fromFuture(asked);
    return asked.isDone() ? answer : answer.publishOn(Schedulers.parallel());
  }

  private static Response response(Answer answer) {
    Map<String, String> headers = new LinkedHashMap<>();
    answer.headers(headers::put);
    return new Response(answer.allowed(), headers);
  }

  /** Routes are loaded again and again; only one that changed gets another limiter. */
  private LimitedRoute route(String routeId) {
    Config config = config(routeId);
    LimitedRoute route = routes.get(routeId);
    if (route == null || !route.has(config)) {
      route =
          new LimitedRoute(
              config.limit, config.cost, limiters.apply(Rule.of(name(routeId), config.limit)));
      routes.put(routeId, route);
    }
    return route;
  }

  private Config config(String routeId) {
    Config config = getConfig().get(routeId);
    if (config == null) {
      config = getConfig().get(RouteDefinitionRouteLocator.DEFAULT_FILTERS);
    }
    if (config == null || config.limit.isEmpty()) {
      throw new IllegalStateException(
          "a route with RequestRateLimiter must have a limit: "
              + routeId
              + "; add the argument stint.limit, such as 100/min, to its filter or to the default"
              + " filters");
    }
    return config;
  }

  /** The route's id, as far as it can be the name of a rule. */
  private static String name(String routeId) {
    if (routeId.matches("[A-Za-z0-9_.-]{1,64}")) {
      return routeId;
    }
    String letters = routeId.replaceAll("[^A-Za-z0-9_.-]", "-");
    String start = letters.substring(0, Math.min(40, letters.length()));
    return start + "." + Integer.toHexString(routeId.hashCode());
  }

  /** The arguments of a route. */
  public static final class Config {

    private String limit = "";
    private long cost = 1;

    /** The limits, such as {@code 100/min burst 20; 5000/day}. */
    public String getLimit() {
      return limit;
    }

    /** Sets the limits; what cannot be read is refused when the route is loaded. */
    public void setLimit(@Nullable String limit) {
      Limit.parseAll(String.valueOf(limit));
      this.limit = String.valueOf(limit);
    }

    /** How many units a request costs; 1 if not given. */
    public long getCost() {
      return cost;
    }

    /** Sets how many units a request costs. */
    public void setCost(long cost) {
      if (cost < 1) {
        throw new IllegalArgumentException("cost must be at least 1: " + cost);
      }
      this.cost = cost;
    }
  }
}
