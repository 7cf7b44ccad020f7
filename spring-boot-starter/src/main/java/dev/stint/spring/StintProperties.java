package dev.stint.spring;

import dev.stint.http.HeaderFormat;
import dev.stint.http.MissingKey;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What an application says under {@code stint}. One line is enough: {@code
 * stint.rules.api.limit=100/min} limits every path for each client's address.
 *
 * @param enabled Whether requests and annotated methods are limited at all.
 * @param store Where counts are stored.
 * @param onStoreError What happens to requests while the store cannot be asked.
 * @param instances Number of instances of this application: while the store cannot be asked, each
 *     counts for itself with that part of every limit.
 * @param headers Which response headers tell clients how much is left.
 * @param partitionKeys Whether the IETF headers also identify the key of the budget, as a hash.
 * @param retryJitter Whether Retry-After is spread upwards by up to a tenth, against stampedes.
 * @param observations Whether each decision is also a Micrometer observation, and a span if the
 *     application uses tracing.
 * @param trustedProxies Addresses and prefixes of proxies whose X-Forwarded-For is believed.
 * @param tenant How a rule by tenant finds the tenant, such as header:X-Tenant.
 * @param allow Addresses and prefixes of clients that are never limited.
 * @param allowKeys Keys that are never limited, with their kind, such as principal:monitor.
 * @param block Addresses and prefixes of clients that are always refused.
 * @param blockKeys Keys that are always refused, with their kind, such as header:x-api-key:4711.
 * @param memory Settings of the store in memory.
 * @param redis Settings of the store in Redis.
 * @param events Events about refusals, limits that are nearly used up and decisions without the
 *     store.
 * @param reload Changes of rules while the application runs.
 * @param refusal The response to a refused request.
 * @param rules The rules by name. All that match a request are decided together.
 */
@ConfigurationProperties(prefix = "stint", ignoreUnknownFields = false)
public record StintProperties(
    @DefaultValue("true") boolean enabled,
    @DefaultValue("memory") StoreKind store,
    @DefaultValue("local") OnStoreError onStoreError,
    @DefaultValue("1") int instances,
    @DefaultValue("ietf") HeaderFormat headers,
    @DefaultValue("false") boolean partitionKeys,
    @DefaultValue("false") boolean retryJitter,
    @DefaultValue("false") boolean observations,
    @DefaultValue List<String> trustedProxies,
    @Nullable String tenant,
    @DefaultValue List<String> allow,
    @DefaultValue List<String> allowKeys,
    @DefaultValue List<String> block,
    @DefaultValue List<String> blockKeys,
    @DefaultValue Memory memory,
    @DefaultValue Redis redis,
    @DefaultValue Events events,
    @DefaultValue Reload reload,
    @DefaultValue Refusal refusal,
    @DefaultValue Map<String, Rule> rules) {

  /** Keeps the rules in the order of the file. */
  public StintProperties {
    rules = new LinkedHashMap<>(rules);
  }

  /** Where counts are stored. */
  public enum StoreKind {
    /** In this process. */
    MEMORY,
    /** In Redis, so that all instances share one count. */
    REDIS
  }

  /** What a rule does. */
  public enum Mode {
    /** Refuses what is beyond its limits. */
    ENFORCE,
    /** Decides, is counted and reported, and never refuses. */
    SHADOW,
    /** Nothing. */
    OFF
  }

  /**
   * Settings of the store in memory.
   *
   * @param maxKeys Number of keys that are counted individually; beyond it, new keys share cells.
   */
  public record Memory(@DefaultValue("1000000") long maxKeys) {}

  /**
   * Settings of the store in Redis. The servers are those of spring.data.redis, unless a URI is
   * given here.
   *
   * @param uri Servers to count on in place of those of spring.data.redis, such as
   *     redis://localhost:6379 or redis-cluster://host:port,host:port.
   * @param prefix Prefix of every key in Redis; stint:NAME: if not given, where NAME is
   *     spring.application.name, or stint: without a name.
   * @param deadline Longest time that a decision may take.
   */
  public record Redis(
      @Nullable String uri, @Nullable String prefix, @DefaultValue("25ms") Duration deadline) {}

  /**
   * Events of the application about decisions.
   *
   * @param enabled Whether refusals, limits that are nearly used up and decisions without the store
   *     are published as events of the application.
   * @param nearLimit Share of a limit from which an admitted request counts as near the limit.
   * @param interval Shortest time between two events of the same kind and rule.
   */
  public record Events(
      @DefaultValue("true") boolean enabled,
      @DefaultValue("0.8") double nearLimit,
      @DefaultValue("1s") Duration interval) {}

  /**
   * Changes of rules while the application runs.
   *
   * @param file A YAML or properties file whose properties under stint take precedence; it is read
   *     at the start and whenever it has changed.
   * @param interval How often the file is checked for changes.
   */
  public record Reload(@Nullable String file, @DefaultValue("1s") Duration interval) {}

  /**
   * The response to a refused request. What is not given is as standard: 429 and a problem
   * document.
   *
   * @param status Status of a request that a limit refuses.
   * @param body Body of a refused request.
   * @param contentType Type of that body.
   */
  public record Refusal(
      @Nullable Integer status,
      @Nullable String body,
      @DefaultValue("text/plain;charset=UTF-8") String contentType) {}

  /**
   * A rule.
   *
   * @param limit The limits, such as 100/min or 5/second burst 20; several are joined by
   *     semicolons. Or an expression over the request that gives them, such as
   *     &#64;plans.limitFor(#principal).
   * @param fallbackLimit The limits for requests for which the expression in limit fails; without
   *     them such requests are refused with 503.
   * @param when An expression that must be true for the requests that the rule is for, such as
   *     header('X-Internal') == null.
   * @param unless An expression that must not be true for the requests that the rule is for.
   * @param match Which requests it is for, such as /api/** or POST /orders/{id}; all if none are
   *     given.
   * @param by What requests are counted by: address, bearer, header:NAME, cookie:NAME, query:NAME,
   *     principal, route, tenant or the name of a KeySource bean; a | b is the first that is there,
   *     a + b is both together.
   * @param cost Units that a request costs: a number, or an expression over the request, such as
   *     header('X-Batch-Size').
   * @param mode What the rule does.
   * @param missingKey What happens to a request that lacks the key.
   * @param chargeOn Which requests are charged for: statuses of the response, such as 401, and
   *     authentication-failure, which counts failed logins whatever the response is; all if none
   *     are given.
   * @param onStoreError What happens to requests while the store cannot be asked; as
   *     stint.on-store-error if not given.
   * @param headers Which response headers tell clients how much is left; as stint.headers if not
   *     given.
   */
  public record Rule(
      @Nullable String limit,
      @Nullable String fallbackLimit,
      @Nullable String when,
      @Nullable String unless,
      @DefaultValue List<String> match,
      @DefaultValue("address") String by,
      @DefaultValue("1") String cost,
      @DefaultValue("enforce") Mode mode,
      @DefaultValue("shared") MissingKey missingKey,
      @DefaultValue List<String> chargeOn,
      @Nullable OnStoreError onStoreError,
      @Nullable HeaderFormat headers) {}
}
