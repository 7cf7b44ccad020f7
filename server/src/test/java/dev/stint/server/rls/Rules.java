package dev.stint.server.rls;

import dev.stint.Limit;
import dev.stint.server.config.OnStoreError;
import dev.stint.server.config.RlsSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Writes a domain's configuration in a few words. */
record Rules(RlsSettings.Node node) {

  static final String DOMAIN = "shop";

  static Rules key(String key) {
    return new Rules(
        new RlsSettings.Node(key, Optional.empty(), Optional.empty(), false, false, List.of()));
  }

  static Rules key(String key, String value) {
    return new Rules(
        new RlsSettings.Node(key, Optional.of(value), Optional.empty(), false, false, List.of()));
  }

  /** A domain in which refused requests are counted only where a rule says so. */
  static RlsSettings domain(Rules... rules) {
    return new RlsSettings(
        Duration.ofMillis(12),
        Map.of(DOMAIN, Stream.of(rules).map(Rules::node).toList()),
        Set.of(DOMAIN));
  }

  Rules perMinute(long amount) {
    return amount == 0
        ? rule(Optional.empty(), 0, "minute")
        : limit(Limit.fixedWindow(amount, Duration.ofMinutes(1)), "minute");
  }

  Rules limit(Limit limit, String unit) {
    return rule(Optional.of(limit.named("_rls")), limit.amount(), unit);
  }

  private Rules rule(Optional<Limit> limit, long perUnit, String unit) {
    return with(
        new RlsSettings.Rule(limit, false, perUnit, unit, 1, "", List.of(), OnStoreError.LOCAL));
  }

  Rules unlimited() {
    return with(
        new RlsSettings.Rule(Optional.empty(), true, 0, "", 1, "", List.of(), OnStoreError.LOCAL));
  }

  Rules countDenied() {
    RlsSettings.Rule rule = node.rule().orElseThrow();
    return limit(rule.limit().orElseThrow().countingDenied(), rule.unit());
  }

  Rules named(String name) {
    RlsSettings.Rule r = node.rule().orElseThrow();
    return with(
        new RlsSettings.Rule(
            r.limit(),
            r.unlimited(),
            r.perUnit(),
            r.unit(),
            1,
            name,
            r.replaces(),
            r.onStoreError()));
  }

  Rules replacing(String... names) {
    RlsSettings.Rule r = node.rule().orElseThrow();
    return with(
        new RlsSettings.Rule(
            r.limit(),
            r.unlimited(),
            r.perUnit(),
            r.unit(),
            1,
            r.name(),
            List.of(names),
            r.onStoreError()));
  }

  Rules shadow() {
    return new Rules(
        new RlsSettings.Node(
            node.key(), node.value(), node.rule(), true, node.detailedMetric(), node.children()));
  }

  Rules detailed() {
    return new Rules(
        new RlsSettings.Node(
            node.key(), node.value(), node.rule(), node.shadow(), true, node.children()));
  }

  Rules under(Rules... children) {
    return new Rules(
        new RlsSettings.Node(
            node.key(),
            node.value(),
            node.rule(),
            node.shadow(),
            node.detailedMetric(),
            Stream.of(children).map(Rules::node).toList()));
  }

  private Rules with(RlsSettings.Rule rule) {
    return new Rules(
        new RlsSettings.Node(
            node.key(),
            node.value(),
            Optional.of(rule),
            node.shadow(),
            node.detailedMetric(),
            node.children()));
  }
}
