package dev.stint.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Decision;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.algorithm.Operation;
import dev.stint.server.config.ConfigFile;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.PolicySettings;
import dev.stint.server.config.Reading;
import dev.stint.server.config.Telemetry;
import dev.stint.server.engine.Engine;
import dev.stint.server.engine.Policy;
import dev.stint.server.engine.Stores;
import dev.stint.testkit.ManualTime;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetricsTest {

  private static final Pattern LABEL = Pattern.compile("=\"((?:[^\"\\\\]|\\\\.)*)\"");

  private final Metrics metrics = new Metrics(Telemetry.standard());

  @AfterEach
  void close() {
    metrics.close();
  }

  private Engine engine(Map<String, PolicySettings> policies) {
    return new Engine(
        Configuration.standard().withPolicies(policies),
        Stores.inMemory(ManualTime.create()),
        metrics);
  }

  private static Map<String, PolicySettings> policies(String... names) {
    Map<String, PolicySettings> all = new LinkedHashMap<>();
    for (String name : names) {
      all.put(name, PolicySettings.of(List.of(Limit.parse("10/minute fixed-window"))));
    }
    return all;
  }

  private static byte[] key(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Policy policy(Engine engine, String name) {
    Policy policy = engine.policies().find(name);
    if (policy == null) {
      throw new AssertionError("no policy " + name);
    }
    return policy;
  }

  private String scrape() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      metrics.scrape(out);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private List<String> series(String start) {
    return scrape().lines().filter(line -> line.startsWith(start)).toList();
  }

  @Test
  void a_peek_is_no_decision_and_no_refusal_and_makes_no_top_key() {
    try (Engine engine = engine(policies("api"))) {
      engine.ask(Operation.PEEK, policy(engine, "api"), key("a"), 3);
      engine.ask(Operation.PEEK, policy(engine, "api"), key("a"), 11);
    }

    assertThat(series("stint_peeks_total"))
        .containsExactlyInAnyOrder(
            "stint_peeks_total{outcome=\"allowed\",policy=\"api\"} 1.0",
            "stint_peeks_total{outcome=\"refused\",policy=\"api\"} 1.0");
    assertThat(series("stint_decisions_total")).hasSize(3).allMatch(line -> line.endsWith(" 0.0"));
    assertThat(series("stint_units_total")).allMatch(line -> line.endsWith(" 0.0"));
    assertThat(series("stint_decision_seconds_count")).allMatch(line -> line.endsWith(" 0"));
    assertThat(metrics.used().top(System.nanoTime())).isEmpty();
    assertThat(metrics.refused().top(System.nanoTime())).isEmpty();
    Meters meters = metrics.policies().get("api");
    assertThat(meters == null ? null : meters.counts()).isEqualTo(Counts.NONE);
  }

  @Test
  void units_are_counted_beside_decisions() {
    try (Engine engine = engine(policies("api"))) {
      engine.ask(Operation.HIT, policy(engine, "api"), key("a"), 7);
      engine.ask(Operation.HIT, policy(engine, "api"), key("a"), 4);
      for (int i = 0; i < 2000; i++) { // more than a long could hold
        engine.ask(Operation.HIT, policy(engine, "api"), key("a"), (1L << 53) - 1);
      }
    }

    assertThat(series("stint_units_total{outcome=\"allowed\""))
        .singleElement()
        .asString()
        .endsWith(" 7.0");
    assertThat(series("stint_units_total{outcome=\"refused\""))
        .singleElement()
        .asString()
        .contains(" 1.80143985");
  }

  @Test
  void requests_beyond_eight_tenths_of_a_limit_are_near_it() {
    try (Engine engine = engine(policies("api"))) {
      for (int i = 0; i < 12; i++) {
        engine.ask(Operation.HIT, policy(engine, "api"), key("a"), 1);
      }
    }

    assertThat(series("stint_near_limit_total"))
        .containsExactly("stint_near_limit_total{policy=\"api\"} 2.0");
  }

  @Test
  void what_a_reload_removes_has_no_series_any_more_and_stays_in_the_totals() {
    try (Engine engine = engine(policies("api", "old"))) {
      engine.ask(Operation.HIT, policy(engine, "api"), key("a"), 1);
      engine.ask(Operation.HIT, policy(engine, "old"), key("a"), 1);
      assertThat(scrape()).contains("policy=\"old\"");

      engine.reload(Configuration.standard().withPolicies(policies("api")));
      metrics.retain(engine.policies());
    }

    assertThat(scrape()).contains("policy=\"api\"").doesNotContain("policy=\"old\"");
    assertThat(metrics.retired().counts().all()).isEqualTo(1);
  }

  @Test
  void a_thousand_reloads_with_new_names_leave_no_series_behind() {
    try (Engine engine = engine(policies("api"))) {
      for (int i = 0; i < 1000; i++) {
        engine.reload(Configuration.standard().withPolicies(policies("p" + i)));
        metrics.retain(engine.policies());
        engine.ask(Operation.HIT, policy(engine, "p" + i), key("a"), 1);
      }
    }

    assertThat(series("stint_decisions_total")).hasSize(3);
    assertThat(metrics.retired().counts().all()).isEqualTo(999);
  }

  @Test
  void one_rule_with_details_has_a_bounded_number_of_series(@TempDir Path folder)
      throws IOException {
    Configuration configuration =
        rls(
            folder,
            "          - {key: user, detailed_metric: true, rate_limit: {unit: minute, requests_per_unit: 5}}\n");
    long before = scrape().lines().count();
    for (int i = 0; i < 24_088; i++) {
      decided("web", "user", "user_u" + i);
    }
    decided("web", "user", "user_" + "x".repeat(4000));

    List<String> series = series("stint_rls_");
    assertThat(series.size()).isLessThan(1100);
    assertThat(scrape().lines().count() - before).isLessThan(1200);
    assertThat(scrape()).contains("rule=\"user._other\"").doesNotContain("xxxx");
    assertThat(sum("stint_rls_decisions_total")).isEqualTo(24_089);
    assertThat(sum("stint_rls_decision_seconds_count")).isEqualTo(24_089);

    try (Engine engine = new Engine(configuration, Stores.inMemory(ManualTime.create()), metrics)) {
      metrics.retain(engine.policies());
      assertThat(sum("stint_rls_decisions_total")).isEqualTo(24_089);
      engine.reload(Configuration.standard());
      metrics.retain(engine.policies());
    }
    assertThat(series("stint_rls_")).isEmpty();
    decided("web", "user", "user_again");
    assertThat(scrape()).contains("rule=\"user_again\"");
  }

  private static Configuration rls(Path folder, String descriptors) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("stint.yaml"),
            "policies:\n  default: 5/minute\nrls:\n  domains:\n    - domain: web\n      descriptors:\n"
                + descriptors);
    Reading reading = ConfigFile.read(file, Map.of());
    assertThat(reading.mistakes()).isEmpty();
    return reading.configuration();
  }

  private void decided(String domain, String path, String label) {
    metrics.decided(domain, path, label, false, Operation.HIT, 1, DECISION, 0, 1000);
  }

  private static final Decision DECISION = RateLimiter.of(Limit.parse("10/minute")).hit("a");

  private double sum(String name) {
    return series(name).stream()
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }

  @Test
  void a_scrape_with_every_label_at_its_longest_is_bounded() {
    String[] names = new String[2 * PolicyMeters.MOST];
    for (int i = 0; i < names.length; i++) {
      names[i] = String.format("p%063d", i);
    }
    Map<String, PolicySettings> all = policies(names);
    try (Engine engine = engine(all)) {
      all.keySet().forEach(name -> engine.ask(Operation.HIT, policy(engine, name), key("a"), 1));
      for (int i = 0; i + 1 < names.length; i++) {
        metrics.compared(policy(engine, names[i]), true, policy(engine, names[i + 1]), true);
      }
    }
    String longest = "\"\\".repeat(2000); // each is escaped
    for (int i = 0; i < 2 * RuleMeters.MOST_RULES; i++) {
      decided("d" + (i % 100) + longest, "r" + i + longest, "r" + i + longest);
    }
    for (int rule = 0; rule < 20; rule++) {
      for (int i = 0; i < 200; i++) {
        String label = "\"".repeat(120) + i;
        decided("d" + rule + longest, "r" + rule + longest, label);
      }
    }

    String page = scrape();
    long series = page.lines().filter(line -> !line.startsWith("#")).count();
    System.out.println("worst scrape: " + series + " series, " + page.length() + " characters");
    assertThat(series).isLessThan(50_000);
    assertThat(page.length()).isLessThan(32 << 20);
    Matcher labels = LABEL.matcher(page);
    while (labels.find()) {
      assertThat(labels.group(1).length()).isLessThanOrEqualTo(2 * LabelText.LONGEST);
    }
    assertThat(sum("stint_decisions_total")).isEqualTo(names.length);
    assertThat(page).contains("policy=\"_other\"").contains("domain=\"_other\",rule=\"_other\"");
  }

  @Test
  void the_jvm_and_the_process_are_measured() {
    assertThat(scrape())
        .contains("jvm_memory_used_bytes", "jvm_threads_live_threads", "process_cpu_usage")
        .contains("process_files_open_files", "process_uptime_seconds", "jvm_gc_memory")
        .contains("stint_network_memory_bytes");
  }
}
