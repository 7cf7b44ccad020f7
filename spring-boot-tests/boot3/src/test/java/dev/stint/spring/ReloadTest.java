package dev.stint.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Rules of a watched file, which change while the application runs. */
@ExtendWith(OutputCaptureExtension.class)
class ReloadTest {

  private static final int RELOADS = 200;
  private static final String ANN =
      "Basic " + Base64.getEncoder().encodeToString("ann:secret".getBytes(StandardCharsets.UTF_8));

  @TempDir Path folder;

  /** An application that takes note of reloads. */
  @Import(HelloApp.class)
  static class WatchingApp {

    /** What it was told. */
    static class Reloads {
      final List<RulesReloadEvent> seen = new CopyOnWriteArrayList<>();
      volatile boolean fail;

      @EventListener
      void note(RulesReloadEvent event) {
        seen.add(event);
        if (fail) {
          throw new NoClassDefFoundError("Plans");
        }
      }
    }

    @Bean
    Reloads reloads() {
      return new Reloads();
    }
  }

  private void write(String... lines) throws IOException {
    Files.writeString(folder.resolve("limits.yaml"), String.join("\n", lines) + "\n");
  }

  private void writeLimit(String limit) throws IOException {
    write("stint:", "  rules:", "    api:", "      match: /hello", "      limit: " + limit);
  }

  private RunningApp start(String kind, String... more) {
    return start(kind, WatchingApp.class, more);
  }

  private RunningApp start(String kind, Class<?> app, String... more) {
    List<String> properties = new ArrayList<>(List.of(more));
    properties.add("stint.reload.file=" + folder.resolve("limits.yaml"));
    properties.add("stint.reload.interval=1h"); // the test looks itself
    properties.add("management.endpoints.web.exposure.include=stint,health");
    properties.add("management.endpoint.health.show-details=always");
    properties.add("management.health.redis.enabled=false");
    return RunningApp.of(kind, app, properties.toArray(String[]::new));
  }

  private static void look(RunningApp app) {
    app.bean(RulesReloader.class).look();
  }

  private static void lookTwice(RunningApp app) {
    look(app);
    look(app);
  }

  private static String left(RunningApp app) throws Exception {
    return app.get("/hello").headers().firstValue("RateLimit").orElse("none");
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void a_changed_file_is_in_force_at_the_second_look_and_counts_are_kept(String kind)
      throws Exception {
    writeLimit("3/hour fixed-window");
    try (RunningApp app = start(kind, "stint.rules.api.limit=100/hour", "stint.headers=legacy")) {
      HttpResponse<String> first = app.get("/hello");
      assertThat(first.headers().firstValue("RateLimit-Remaining"))
          .as("the file takes precedence, and all else stays")
          .contains("2");
      writeLimit("5/hour fixed-window");
      look(app);
      assertThat(app.get("/hello").headers().firstValue("RateLimit-Limit")).contains("3");
      look(app);
      HttpResponse<String> third = app.get("/hello");
      assertThat(third.headers().firstValue("RateLimit-Limit")).contains("5");
      assertThat(third.headers().firstValue("RateLimit-Remaining")).contains("2");
      assertThat(app.bean(WatchingApp.Reloads.class).seen).hasSize(1);
      lookTwice(app);
      assertThat(app.bean(WatchingApp.Reloads.class).seen).as("nothing has changed").hasSize(1);
    }
  }

  @Test
  void a_file_that_is_still_being_written_is_left_alone() throws Exception {
    writeLimit("3/hour fixed-window");
    try (RunningApp app = start("servlet")) {
      writeLimit("5");
      look(app);
      writeLimit("50/ho");
      look(app);
      writeLimit("50/hour fixed-window");
      look(app);
      assertThat(left(app)).contains("r=2");
      look(app);
      assertThat(left(app)).contains("r=48");
      assertThat(app.bean(WatchingApp.Reloads.class).seen)
          .allSatisfy(reload -> assertThat(reload.problem()).isEmpty());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void rules_that_cannot_be_used_are_refused_and_reported(String kind, CapturedOutput output)
      throws Exception {
    writeLimit("3/hour");
    try (RunningApp app = start(kind)) {
      writeLimit("5/huor");
      lookTwice(app);
      assertThat(left(app)).contains("r=2");
      assertThat(output)
          .contains("The rate limit rules were not reloaded, the old ones stay in force:")
          .contains("stint.rules.api.limit");
      assertThat(app.get("/actuator/stint").body())
          .contains("\"reload\":{\"state\":\"refused\",\"problem\":\"stint.rules.api.limit");
      assertThat(app.get("/actuator/health").body()).contains("\"reload\":\"refused: stint.rules");
      assertThat(app.bean(WatchingApp.Reloads.class).seen)
          .singleElement()
          .satisfies(reload -> assertThat(reload.problem()).isPresent());
      write("stint:", "  rules:", "    api:", "      limit: 5/hour", "      mtach: /hello");
      lookTwice(app);
      assertThat(app.bean(RulesReloader.class).problem())
          .hasValueSatisfying(
              problem -> assertThat(problem).contains("did you mean 'stint.rules.api.match'?"));
      write("stint: [");
      lookTwice(app);
      assertThat(app.bean(RulesReloader.class).problem())
          .hasValueSatisfying(problem -> assertThat(problem).contains("stint.reload.file"));
      Files.delete(folder.resolve("limits.yaml"));
      lookTwice(app);
      assertThat(app.bean(RulesReloader.class).problem())
          .hasValueSatisfying(problem -> assertThat(problem).contains("the file cannot be read"));
      assertThat(left(app)).contains("r=1");
      writeLimit("3/hour");
      lookTwice(app);
      assertThat(app.get("/actuator/stint").body()).doesNotContain("refused\",\"problem");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void rules_by_principal_may_come_with_a_reload(String kind) throws Exception {
    writeLimit("100/hour");
    try (RunningApp app = start(kind)) {
      write(
          "stint:",
          "  rules:",
          "    user: {limit: 1/hour, by: principal, match: /private/**}",
          "    old: {limit: 1/hour, mode: off}");
      lookTwice(app);
      assertThat(app.get("/private/hello", "Authorization", ANN).statusCode()).isEqualTo(200);
      assertThat(app.get("/private/hello", "Authorization", ANN).statusCode()).isEqualTo(429);
      assertThat(app.get("/actuator/stint").body()).contains("\"name\":\"old\"");
    }
  }

  @Test
  void an_error_in_a_listener_does_not_stop_reloads(CapturedOutput output) throws Exception {
    writeLimit("3/hour");
    try (RunningApp app = start("servlet", "stint.headers=legacy")) {
      app.bean(WatchingApp.Reloads.class).fail = true;
      for (int limit = 4; limit < 6; limit++) {
        writeLimit(limit + "/hour");
        lookTwice(app);
        assertThat(app.get("/hello").headers().firstValue("RateLimit-Limit")).contains("" + limit);
      }
      assertThat(output).contains("A listener of a reload of rate limit rules failed.");
    }
  }

  @Test
  void what_a_reload_cannot_change_is_said(CapturedOutput output) throws Exception {
    writeLimit("3/hour");
    try (RunningApp app = start("servlet")) {
      write("stint:", "  store: redis", "  instances: 7", "  rules: {api: {limit: 4/hour}}");
      lookTwice(app);
      assertThat(output)
          .contains("A restart is needed for the changes of stint.store, stint.instances.");
      assertThat(left(app)).contains("r=3");
    }
  }

  @Test
  void rules_that_would_let_clients_choose_their_address_are_refused() throws Exception {
    write("stint: {rules: {key: {limit: 1/hour, by: 'header:X-Key'}}}");
    try (RunningApp app = start("servlet", "server.forward-headers-strategy=framework")) {
      writeLimit("3/hour");
      lookTwice(app);
      assertThat(app.bean(RulesReloader.class).problem())
          .hasValueSatisfying(problem -> assertThat(problem).contains("STINT-HTTP-2"));
      assertThat(app.bean(HttpLimiters.class).rules()).extracting("name").containsExactly("key");
      write("stint:", "  trusted-proxies: 10.0.0.0/8", "  rules: {api: {limit: 3/hour}}");
      lookTwice(app);
      assertThat(app.get("/hello", "X-Forwarded-For", "192.0.2.1").statusCode()).isEqualTo(200);
      assertThat(app.bean(HttpLimiters.class).peek("api", "127.0.0.1").remaining()).isEqualTo(2);
    }
  }

  @Test
  void without_its_file_an_application_does_not_start() {
    assertThatThrownBy(() -> start("servlet"))
        .rootCause()
        .hasMessageContaining("stint.reload.file: the file cannot be read");
  }

  private void writeGeneration(int generation) throws IOException {
    write(
        "stint:",
        "  rules:",
        "    early: {limit: " + (1_000_000 + generation) + "/hour fixed-window}",
        "    late: {limit: " + (2_000_000 + generation) + "/hour fixed-window, by: principal}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void under_load_a_request_sees_old_rules_or_new_ones_and_every_count_is_kept(String kind)
      throws Exception {
    writeGeneration(0);
    Pattern policies = Pattern.compile("\"early\";q=1(\\d{6});w=3600, \"late\";q=2(\\d{6});w=3600");
    ExecutorService clients = Executors.newFixedThreadPool(4);
    AtomicBoolean reloading = new AtomicBoolean(true);
    AtomicInteger requests = new AtomicInteger();
    Semaphore answered = new Semaphore(0);
    try (RunningApp app = start(kind)) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        running.add(
            clients.submit(
                () -> {
                  while (reloading.get()) {
                    HttpResponse<String> response = app.get("/private/hello", "Authorization", ANN);
                    requests.incrementAndGet();
                    answered.release();
                    assertThat(response.statusCode()).isEqualTo(200);
                    String told = response.headers().firstValue("RateLimit-Policy").orElse("none");
                    Matcher both = policies.matcher(told);
                    assertThat(both.matches()).as(told).isTrue();
                    assertThat(both.group(1)).as("no mixture").isEqualTo(both.group(2));
                  }
                  return null;
                }));
      }
      for (int i = 1; i <= RELOADS; i++) {
        writeGeneration(i);
        lookTwice(app);
        answered.drainPermits();
        assertThat(answered.tryAcquire(1, TimeUnit.MINUTES)).as("a request in between").isTrue();
      }
      reloading.set(false);
      for (Future<?> client : running) {
        client.get();
      }
      assertThat(app.bean(WatchingApp.Reloads.class).seen).hasSize(RELOADS);
      HttpLimiters limiters = app.bean(HttpLimiters.class);
      assertThat(limiters.peek("early", "127.0.0.1").used()).isEqualTo(requests.get());
      assertThat(limiters.peek("late", "ann").used()).isEqualTo(requests.get());
    } finally {
      clients.shutdownNow();
    }
  }

  /** Its methods have budgets beside those of the rules. */
  @Import({WatchingApp.class, LimitedApp.Handlers.class})
  static class LimitedApp {

    @RestController
    static class Handlers {

      @GetMapping("/tenant")
      @RateLimited(value = "1/hour", by = "tenant", name = "tenants")
      String tenant() {
        return "tenant";
      }

      @GetMapping("/address")
      @RateLimited(value = "1/hour", by = "address", name = "addresses")
      String address() {
        return "address";
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void a_rule_with_the_name_of_a_method_is_refused_at_a_reload_too(String kind) throws Exception {
    write("stint:", "  tenant: header:X-Tenant");
    try (RunningApp app = start(kind, LimitedApp.class)) {
      write("stint:", "  tenant: header:X-Tenant", "  rules:", "    tenants.limit: 9/min");
      lookTwice(app);
      assertThat(app.bean(RulesReloader.class).problem())
          .get()
          .asString()
          .contains("the name must not be that of a rule already: tenants");
      assertThat(app.get("/actuator/stint/tenants").body()).contains("1/hour");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void a_tenant_that_methods_count_by_cannot_be_taken_away(String kind) throws Exception {
    write("stint:", "  tenant: header:X-Tenant");
    try (RunningApp app = start(kind, LimitedApp.class)) {
      write("stint:", "  headers: legacy");
      lookTwice(app);
      assertThat(app.bean(RulesReloader.class).problem())
          .get()
          .asString()
          .contains("a key by tenant must be told how to find one");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void methods_believe_the_proxies_of_the_file(String kind) throws Exception {
    write("stint:", "  tenant: header:X-Tenant", "  trusted-proxies: 127.0.0.1");
    try (RunningApp app =
        start(kind, LimitedApp.class, "server.forward-headers-strategy=framework")) {
      assertThat(app.get("/address", "X-Forwarded-For", "8.8.8.8").statusCode()).isEqualTo(200);
      assertThat(app.get("/address", "X-Forwarded-For", "9.9.9.9, 8.8.8.8").statusCode())
          .as("the first address is the client's word")
          .isEqualTo(429);
      write("stint:", "  tenant: header:X-Tenant");
      lookTwice(app);
      assertThat(app.bean(RulesReloader.class).problem())
          .get()
          .asString()
          .contains("any client could choose the address it is counted by");
    }
  }
}
