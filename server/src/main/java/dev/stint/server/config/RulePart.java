package dev.stint.server.config;

import dev.stint.Limit;
import dev.stint.Spelling;
import dev.stint.server.config.RlsSettings.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads {@code rate_limit} of a descriptor: Envoy's public format, and what Stint adds. */
final class RulePart {

  /** The name under which all rules count; what tells them apart is in the key. */
  private static final String KEYSPACE = "_rls";

  private static final long UINT32 = 0xFFFF_FFFFL;

  private static final Map<String, Duration> UNITS = units();

  /** What a rule without a limit cannot have. */
  private static final List<String> LIMITING =
      List.of("unit", "algorithm", "burst", "unit_multiplier", "count_denied");

  private final Context in;
  private final Section rule;
  private final boolean countDenied;

  private RulePart(Context in, Section rule, boolean countDenied) {
    this.in = in;
    this.rule = rule;
    this.countDenied = countDenied;
  }

  /**
   * Reads a rule.
   *
   * @param countDenied whether a refused request is counted, unless the rule itself says
   */
  static Optional<Rule> read(Context in, Yaml yaml, boolean countDenied) {
    Section rule =
        in.section(
            "rate_limit",
            yaml,
            "unit",
            "requests_per_unit",
            "name",
            "replaces",
            "unlimited",
            "algorithm",
            "burst",
            "unit_multiplier",
            "count_denied",
            "on_store_error");
    return yaml instanceof Yaml.Entries
        ? Optional.of(new RulePart(in, rule, countDenied).read())
        : Optional.empty();
  }

  private static Map<String, Duration> units() {
    Map<String, Duration> units = new LinkedHashMap<>();
    units.put("second", Duration.ofSeconds(1));
    units.put("minute", Duration.ofMinutes(1));
    units.put("hour", Duration.ofHours(1));
    units.put("day", Duration.ofDays(1));
    units.put("week", Duration.ofDays(7));
    units.put("month", Duration.ofDays(30));
    units.put("year", Duration.ofDays(365));
    return units;
  }

  private Rule read() {
    String name = rule.text("name").orElse("");
    List<String> replaces = replaces(name);
    boolean unlimited = rule.flag("unlimited", false);
    long perUnit = rule.number("requests_per_unit", 0L, 0, UINT32);
    int multiplier = rule.number("unit_multiplier", 1, 1, Integer.MAX_VALUE);
    OnStoreError onStoreError =
        rule.choice("on_store_error", Words.ON_STORE_ERROR).orElse(OnStoreError.LOCAL);
    String unit = "";
    Optional<Limit> limit = Optional.empty();
    if (unlimited) {
      refuseLimits();
    } else {
      unit = unit();
      limit = limit(Math.max(1, perUnit), unit, multiplier);
    }
    return new Rule(
        perUnit == 0 ? Optional.empty() : limit,
        unlimited,
        perUnit,
        unit,
        multiplier,
        name,
        replaces,
        onStoreError);
  }

  private void refuseLimits() {
    for (String word : LIMITING) {
      if (rule.has(word)) {
        rule.wrong(word, "unlimited must stand without " + word + "; remove one of them");
      }
    }
  }

  private String unit() {
    if (!rule.has("requests_per_unit")) {
      rule.missing("requests_per_unit", "requests_per_unit: 10 (0 refuses everything)");
    }
    if (!rule.has("unit")) {
      rule.missing("unit", "unit: minute, or unlimited: true");
    }
    return rule.read("unit", RulePart::unit).orElse("");
  }

  private static String unit(String text) {
    String word = text.toLowerCase(Locale.ROOT);
    if (!UNITS.containsKey(word)) {
      List<String> words = List.copyOf(UNITS.keySet());
      throw new Slip(
          0,
          "unknown unit "
              + Quote.of(text)
              + Spelling.hint(word, words, "; the units are: " + String.join(", ", words)));
    }
    return word;
  }

  private Optional<Limit> limit(long amount, String unit, int multiplier) {
    Limit.Kind kind = rule.choice("algorithm", Words.ALGORITHMS).orElse(Limit.Kind.FIXED_WINDOW);
    Optional<Long> burst = rule.number("burst", 1, 1L << 52);
    boolean counting = rule.flag("count_denied", countDenied);
    if (burst.isPresent() && !kind.isBucket()) {
      rule.wrong(
          "burst",
          "burst must go with token-bucket or leaky-bucket, was with "
              + kind.word()
              + "; add algorithm: token-bucket");
      return Optional.empty();
    }
    Duration one = UNITS.get(unit);
    return one == null ? Optional.empty() : make(kind, amount, one, multiplier, burst, counting);
  }

  private Optional<Limit> make(
      Limit.Kind kind,
      long amount,
      Duration unit,
      int multiplier,
      Optional<Long> burst,
      boolean counting) {
    try {
      Limit limit = of(kind, amount, unit.multipliedBy(multiplier));
      limit = burst.isPresent() ? limit.burst(burst.get()) : limit;
      limit = counting ? limit.countingDenied() : limit;
      return Optional.of(limit.named(KEYSPACE));
    } catch (IllegalArgumentException e) {
      in.mistakes().add(rule.place(), String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }

  private static Limit of(Limit.Kind kind, long amount, Duration window) {
    return switch (kind) {
      case FIXED_WINDOW -> Limit.fixedWindow(amount, window);
      case FIXED_WINDOW_PER_KEY -> Limit.fixedWindowPerKey(amount, window);
      case SLIDING_LOG -> Limit.slidingLog(amount, window);
      case SLIDING_COUNTER -> Limit.slidingCounter(amount, window);
      case TOKEN_BUCKET -> Limit.tokenBucket(amount, window);
      case LEAKY_BUCKET -> Limit.leakyBucket(amount, window);
      case QUOTA -> throw new IllegalArgumentException("algorithm must have a window: quota");
    };
  }

  private List<String> replaces(String own) {
    List<Yaml> items = rule.items("replaces");
    if (items.isEmpty() && rule.find("replaces") instanceof Yaml.Items) {
      rule.wrong("replaces", "replaces must name a rule, such as - name: other; was empty");
    }
    List<String> names = new ArrayList<>();
    for (Yaml item : items) {
      Section entry = in.section("an entry of replaces", item, "name");
      if (item instanceof Yaml.Entries && !entry.has("name")) {
        entry.missing("name", "name: other");
      }
      entry.read("name", text -> replaced(text, own)).ifPresent(names::add);
    }
    return names;
  }

  private static String replaced(String name, String own) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("must be that of a rule to replace, was empty");
    }
    if (name.equals(own)) {
      throw new IllegalArgumentException(
          "must be that of another rule, was the rule's own: " + Quote.of(name));
    }
    return name;
  }
}
