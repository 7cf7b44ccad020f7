package dev.stint.spring;

import dev.stint.Store;
import dev.stint.http.AddressSet;
import dev.stint.http.CallLimiter;
import dev.stint.http.HttpLimiter;
import dev.stint.http.KeySource;
import dev.stint.http.PatternSyntax;
import dev.stint.http.Refusal;
import dev.stint.http.Rule;
import java.util.List;
import java.util.function.Function;
import org.springframework.beans.factory.ListableBeanFactory;

/** Makes a limiter out of properties; whatever is wrong is told by the property's name. */
final class LimiterFactory {

  private static final String RANGES_ACTION =
      "Write addresses such as 203.0.113.7 and prefixes such as 10.0.0.0/8 or 2001:db8::/32.";

  private static final String KEYS_ACTION =
      "Write each key with the kind of its source, such as principal:monitor or"
          + " header:x-api-key:4711.";

  private final StintProperties properties;
  private final Stores stores;
  private final Rules rules;
  private final PatternSyntax syntax;

  LimiterFactory(
      StintProperties properties, Stores stores, ListableBeanFactory beans, PatternSyntax syntax) {
    this.properties = properties;
    this.stores = stores;
    this.syntax = syntax;
    this.rules = new Rules(beans.getBeansOfType(KeySource.class), stores, syntax, beans);
  }

  /**
   * A limiter with the rules of the properties, and others.
   *
   * @param others rules that are beans, whose key sources lists may name too
   */
  HttpLimiter.Builder builder(List<Rule> others) {
    checkRanges("stint.allow", properties.allow());
    checkRanges("stint.block", properties.block());
    checkRefusal(properties.refusal());
    HttpLimiter.Builder builder = answering(properties, stores).patterns(syntax);
    trustProxies(builder);
    builder.allow(properties.allow()).block(properties.block());
    addRules(builder);
    builder.rules(others);
    addKeys("stint.allow-keys", properties.allowKeys(), builder::allowKeys);
    addKeys("stint.block-keys", properties.blockKeys(), builder::blockKeys);
    return builder;
  }

  /** A limiter that decides nothing yet, but answers as the properties say. */
  static HttpLimiter.Builder answering(StintProperties properties, Stores stores) {
    HttpLimiter.Builder builder = HttpLimiter.builder(stores.orElse(null));
    builder.headers(properties.headers());
    builder.refusal((request, standard) -> refusal(properties.refusal(), standard));
    if (properties.partitionKeys()) {
      builder.partitionKeys();
    }
    if (properties.retryJitter()) {
      builder.retryJitter();
    }
    return builder;
  }

  /** The same for methods. */
  static CallLimiter.Builder answeringCalls(StintProperties properties, Stores stores) {
    CallLimiter.Builder builder = CallLimiter.builder(stores.orElse(null));
    builder.headers(properties.headers());
    builder.refusal(standard -> refusal(properties.refusal(), standard));
    if (properties.partitionKeys()) {
      builder.partitionKeys();
    }
    if (properties.retryJitter()) {
      builder.retryJitter();
    }
    return builder;
  }

  private static void checkRanges(String property, List<String> ranges) {
    Rules.checked(property, String.join(", ", ranges), RANGES_ACTION, () -> AddressSet.of(ranges));
  }

  /** Or whoever is refused first would get an error in place of the refusal. */
  private static void checkRefusal(StintProperties.Refusal wanted) {
    Refusal standard =
        HttpLimiter.builder(Store.denying())
            .rule(Rule.of("start", "1/min"))
            .build()
            .decide(new EmptyRequest())
            .refusal()
            .orElseThrow();
    Integer status = wanted.status();
    if (status != null) {
      Rules.checked(
          "stint.refusal.status",
          status.toString(),
          "Write a status from 400 to 599, such as 429 or 503.",
          () -> standard.status(status));
    }
    Rules.checked(
        "stint.refusal.content-type",
        wanted.contentType(),
        "Write a media type such as text/plain;charset=UTF-8 or application/json.",
        () -> standard.body(wanted.contentType(), ""));
  }

  private static void addKeys(
      String property, List<String> keys, Function<List<String>, HttpLimiter.Builder> adder) {
    if (!keys.isEmpty()) {
      Rules.checked(
          property, String.join(", ", keys), KEYS_ACTION, () -> adder.apply(keys).build());
    }
  }

  /** Builds a limiter without rules: whatever it says of the proxies is about this property. */
  private void trustProxies(HttpLimiter.Builder builder) {
    List<String> proxies = properties.trustedProxies();
    Rules.checked(
        "stint.trusted-proxies",
        String.join(", ", proxies),
        RANGES_ACTION,
        () -> builder.trustedProxies(proxies).build());
  }

  private void addRules(HttpLimiter.Builder builder) {
    String tenant = properties.tenant();
    if (tenant != null) {
      builder.tenant(rules.source("stint.tenant", tenant));
    }
    builder.rules(rules.of(properties.rules()));
    Rules.checked(
        "stint.tenant",
        tenant,
        "Write where a request names its tenant, such as header:X-Tenant.",
        builder::build);
  }

  private static Refusal refusal(StintProperties.Refusal wanted, Refusal standard) {
    Refusal refusal = standard;
    if (wanted.status() != null && standard.reason() == Refusal.Reason.LIMIT) {
      refusal = refusal.status(wanted.status());
    }
    return wanted.body() == null ? refusal : refusal.body(wanted.contentType(), wanted.body());
  }
}
