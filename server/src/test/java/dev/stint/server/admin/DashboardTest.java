package dev.stint.server.admin;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stint.Decision;
import dev.stint.Limit;
import dev.stint.algorithm.Operation;
import dev.stint.http.HeaderFormat;
import dev.stint.lab.Chromium;
import dev.stint.server.config.Bounds;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.Listener;
import dev.stint.server.config.Listeners;
import dev.stint.server.config.OnStoreError;
import dev.stint.server.config.PolicySettings;
import dev.stint.server.config.Secret;
import dev.stint.server.engine.Policy;
import dev.stint.server.serve.Service;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** The dashboard in a real browser, over a real service. */
@Timeout(120)
class DashboardTest {

  private static final Listener ANY = Listener.on("127.0.0.1", 0);
  private static final String TOKEN = "the-secret-of-this-test";
  private static final String HOSTILE = "<img src=x onerror=\"document.title='broken'\">";

  private static Chromium browser;

  @BeforeAll
  static void start() {
    Optional<String> missing = Chromium.missing();
    assumeTrue(missing.isEmpty(), missing::toString);
    browser = Chromium.start(false);
  }

  @AfterAll
  static void stop() {
    if (browser != null) {
      browser.close();
    }
  }

  // What runs

  private static PolicySettings policy(String limits, boolean shadow, Optional<String> candidate) {
    return new PolicySettings(
        Limit.parseAll(limits),
        false,
        shadow,
        OnStoreError.LOCAL,
        HeaderFormat.IETF,
        List.of(),
        candidate);
  }

  private static Configuration configuration() {
    Map<String, PolicySettings> policies = new LinkedHashMap<>();
    policies.put("default", policy("100/day", false, Optional.empty()));
    policies.put("login", policy("5/day", false, Optional.of("login-next")));
    policies.put("login-next", policy("4/day", false, Optional.empty()));
    policies.put("search", policy("3/day", true, Optional.empty()));
    return Configuration.standard()
        .withListeners(new Listeners(ANY, ANY, ANY, ANY))
        .withBounds(impatient(Bounds.standard()))
        .withPolicies(policies);
  }

  /** Browsers keep spare connections open; nobody here has to wait for their end. */
  private static Bounds impatient(Bounds usual) {
    return new Bounds(
        usual.body(),
        usual.headers(),
        usual.key(),
        usual.batch(),
        usual.descriptors(),
        usual.connections(),
        usual.idle(),
        Duration.ofMillis(200));
  }

  private static Configuration closed() {
    return configuration().withListeners(new Listeners(ANY, ANY, ANY, ANY.token(Secret.of(TOKEN))));
  }

  /** Admits 13, refuses 3 and would have refused 4. */
  private static Service busy(Configuration configuration) {
    Service service = Service.start(configuration);
    hit(service, "login", "alice", 8);
    hit(service, "login", "bob", 2);
    hit(service, "search", "crawler", 7);
    hit(service, "default", HOSTILE, 3);
    return service;
  }

  private static Decision ask(Service service, Operation operation, String policy, String key) {
    Policy found = requireNonNull(service.engine().policies().find(policy));
    return service
        .engine()
        .askAsync(operation, found, key.getBytes(StandardCharsets.UTF_8), 1)
        .toCompletableFuture()
        .join();
  }

  private static void hit(Service service, String policy, String key, int times) {
    for (int i = 0; i < times; i++) {
      ask(service, Operation.HIT, policy, key);
    }
  }

  // What is seen

  private static String origin(Service service) {
    return "http://127.0.0.1:" + service.adminPort();
  }

  /** Looks at the page of a service that shows itself, and ends the service. */
  private static void visit(Service service, Consumer<Service> look) {
    enter(
        service,
        running -> {
          awaitText("#link-text", "Live");
          look.accept(running);
        });
  }

  /** The browser leaves before the service ends, or it would complain about that. */
  private static void enter(Service service, Consumer<Service> look) {
    try (service) {
      try {
        browser.open(origin(service) + "/");
        look.accept(service);
      } finally {
        leave(browser);
      }
    }
  }

  private static void leave(Chromium in) {
    in.open("about:blank");
    in.complaints();
  }

  private static void open(Chromium in, Service service) {
    in.open(origin(service) + "/");
    in.await(driver -> text(in, "#link-text").equals("Live"));
  }

  private static String text(Chromium in, String selector) {
    return (String)
        in.run(
            "const n = document.querySelector(arguments[0]); return n ? n.textContent.trim() : ''",
            selector);
  }

  @SuppressWarnings("unchecked")
  private static List<String> texts(String selector) {
    return (List<String>)
        browser.run(
            "return [...document.querySelectorAll(arguments[0])].map(n => n.textContent.trim())",
            selector);
  }

  private static boolean isSeen(String id) {
    return browser.driver().findElement(By.id(id)).isDisplayed();
  }

  private static void awaitText(String selector, String wanted) {
    browser.await(driver -> text(browser, selector).equals(wanted));
  }

  private static WebElement find(String selector) {
    return browser.driver().findElement(By.cssSelector(selector));
  }

  private static void choose(String policy, String key) {
    find("#ask-policy option[value='" + policy + "']").click();
    find("#ask-key").clear();
    find("#ask-key").sendKeys(key);
  }

  private static void question(String policy, String key) {
    choose(policy, key);
    browser.run("document.getElementById('why').textContent = ''");
    find("#ask button").click();
    browser.await(driver -> !text(browser, "#why").isEmpty());
  }

  // Numbers

  @Test
  void shows_the_numbers_of_the_engine() {
    visit(
        busy(configuration()),
        service -> {
          awaitText("#tile-admitted .total", "13");
          awaitText("#tile-refused .total", "3");
          awaitText("#tile-shadowRefused .total", "4");
          awaitText("#tile-degraded .total", "0");
          assertThat(texts("#policies th bdi"))
              .containsExactly("default", "login", "login-next", "search");
          assertThat(texts("#policies td.limits"))
              .containsExactly("100/day", "5/day", "4/day", "3/day");
          assertThat(texts("#policies td.admitted")).containsExactly("3", "7", "0", "3");
          assertThat(texts("#policies td.refused")).containsExactly("0", "3", "0", "0");
          assertThat(texts("#policies td.shadowRefused")).containsExactly("0", "0", "0", "4");
          assertThat(text(browser, "#store-keys"))
              .isEqualTo(service.engine().stores().memory().keys() + " of 1,000,000");
          assertThat(browser.complaints()).isEmpty();
        });
  }

  @Test
  void its_timelines_add_up_to_the_totals() {
    visit(
        busy(configuration()),
        service -> {
          awaitText("#tile-admitted .total", "13");
          browser.await(
              driver ->
                  texts("#lanes .sums dd")
                      .equals(List.of("3", "0", "0", "7", "3", "0", "3", "0", "4")));
          hit(service, "login", "carol", 5);
          browser.await(driver -> newest().equals("0")); // so that a column ended in between
          assertThat(texts("#lanes .sums dd").get(3)).isEqualTo("12");
          find("#as-table summary").click();
          browser.await(driver -> texts("#as-table tbody tr").size() == 15);
          assertThat(
                  texts("#as-table tbody td:nth-child(5)").stream()
                      .mapToInt(Integer::parseInt)
                      .sum())
              .isEqualTo(12);
        });
  }

  /** What login admitted in the column that is not over. */
  private static String newest() {
    find("#lanes .lane:nth-child(2) .plot").sendKeys(Keys.END);
    String admitted = texts("#lanes .sums dd").get(3);
    browser.run("document.activeElement.blur()");
    return admitted;
  }

  @Test
  void shows_who_asks_most_and_who_is_refused_most() {
    visit(
        busy(configuration()),
        service -> {
          browser.await(driver -> texts("#used .count").equals(List.of("8", "7", "3", "2")));
          assertThat(texts("#used .key")).containsExactly("alice", "crawler", HOSTILE, "bob");
          assertThat(texts("#refused .key")).containsExactly("crawler", "alice");
          assertThat(texts("#refused .count")).containsExactly("4", "3");
          assertThat(texts("#refused .watched .key")).containsExactly("crawler");
          assertThat(texts("#refused .would:not([hidden])")).containsExactly("would be refused");
          assertThat(texts("#refused .watched .would:not([hidden])")).hasSize(1);
        });
  }

  @Test
  void a_candidate_is_told_whose_it_is_and_is_not_called_quiet() {
    Service service = Service.start(configuration());
    hit(service, "login", "alice", 1);
    visit(
        service,
        running -> {
          awaitText("#quiet", "Quiet for 15 minutes: default, search");
          assertThat(texts("#policies .tag")).containsExactly("candidate of login", "shadow");
        });
  }

  @Test
  void what_use_and_near_limit_mean_is_on_the_page() {
    visit(
        busy(configuration()),
        service -> {
          awaitText("#tile-admitted .total", "13");
          assertThat(text(browser, ".legend"))
              .isEqualTo(
                  "Use: the share of its limit that a request found in use, on average. Near limit:"
                      + " the share of requests that were refused, or that left more of the limit"
                      + " in use than telemetry.near-limit (default 80 %).");
        });
  }

  @Test
  void compares_a_candidate_with_what_is_live() {
    visit(
        busy(configuration()),
        service -> {
          awaitText("#candidates .says", "The candidate would refuse 1 more of 10.");
          assertThat(texts("#candidates tbody td")).containsExactly("6", "1", "0", "3");
        });
  }

  @Test
  void follows_what_happens() {
    visit(
        busy(configuration()),
        service -> {
          awaitText("#tile-admitted .total", "13");
          hit(service, "default", "dora", 20);
          awaitText("#tile-admitted .total", "33");
          browser.await(driver -> !text(browser, "#tile-admitted .rate").equals("0"));
          browser.await(driver -> !text(browser, "#tile-p99 .value").equals("–"));
        });
  }

  // The first request

  @Test
  void says_how_to_check_for_the_first_time_until_it_was_done() {
    first(0);
  }

  @Test
  void says_how_to_hit_a_policy_for_the_first_time_until_it_was_done() {
    first(1);
  }

  private static void first(int line) {
    assumeTrue(run("curl --version") == 0, "'curl' must be on the PATH to try what the page says");
    visit(
        Service.start(configuration()),
        service -> {
          browser.await(driver -> isSeen("hello"));
          assertThat(isSeen("timelines")).isFalse();
          List<String> commands = texts("#commands code");
          assertThat(commands)
              .containsExactly(
                  "curl \"localhost:" + service.httpPort() + "/check?userId=alice\"",
                  "curl -X POST \"localhost:"
                      + service.httpPort()
                      + "/v1/hit\" -H \"content-type: application/json\""
                      + " -d '{\"policy\":\"login\",\"key\":\"alice\"}'");
          assertThat(run(commands.get(line) + " --fail")).isZero();
          browser.await(driver -> !isSeen("hello") && isSeen("timelines"));
          awaitText("#tile-admitted .total", "1");
          assertThat(browser.complaints()).isEmpty();
        });
  }

  /** How a line of the shell ends. */
  private static int run(String command) {
    try {
      Process process =
          new ProcessBuilder("sh", "-c", command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
      return process.exitValue();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(command, e);
    }
  }

  // The tester

  @Test
  void the_tester_answers_what_a_peek_answers_and_takes_nothing() {
    visit(
        busy(configuration()),
        service -> {
          awaitText("#tile-admitted .total", "13");
          question("login", "alice");
          assertThat(text(browser, "#verdict")).isEqualTo("It would be refused");
          for (int i = 0; i < 5; i++) {
            question("login", "bob");
          }
          assertThat(text(browser, "#verdict")).isEqualTo("It would be admitted");
          assertThat(texts("#states .line")).first().asString().contains("2 of 5 used");
          question("search", "crawler");
          assertThat(text(browser, "#verdict")).isEqualTo("It would pass, as shadow-refused");
          assertThat(text(browser, "#tile-admitted .total")).isEqualTo("13");
          assertThat(text(browser, "#tile-shadowRefused .total")).isEqualTo("4");
          Decision peeked = ask(service, Operation.PEEK, "login", "bob");
          assertThat(peeked.allowed()).isTrue();
          assertThat(peeked.remaining()).isEqualTo(3);
          assertThat(ask(service, Operation.PEEK, "login", "alice").allowed()).isFalse();
          assertThat(browser.complaints()).isEmpty();
        });
  }

  @Test
  void a_key_of_the_lists_goes_into_the_tester_with_a_button() {
    visit(
        busy(configuration()),
        service -> {
          browser.await(driver -> texts("#refused .key").contains("alice"));
          find("#refused li:nth-child(2) button").click();
          browser.await(driver -> text(browser, "#verdict").equals("It would be refused"));
          assertThat(find("#ask-policy").getDomProperty("value")).isEqualTo("login");
          assertThat(find("#ask-key").getDomProperty("value")).isEqualTo("alice");
        });
  }

  @Test
  void the_tester_can_be_reached_and_used_with_the_keyboard_alone() {
    visit(
        busy(configuration()),
        service -> {
          awaitText("#tile-admitted .total", "13");
          press(Keys.TAB); // "Skip to the tester"
          press(Keys.ENTER);
          tabTo("ask-policy");
          press("login");
          tabTo("ask-key");
          press("alice");
          press(Keys.ENTER);
          browser.await(driver -> text(browser, "#verdict").equals("It would be refused"));
        });
  }

  @Test
  void the_focus_goes_through_the_page_and_is_caught_nowhere() {
    visit(
        busy(configuration()),
        service -> {
          browser.await(driver -> texts("#used .key").size() == 4);
          List<String> visited = new ArrayList<>();
          for (int i = 0; i < 60; i++) {
            press(Keys.TAB);
            String where =
                (String)
                    browser.run(
                        "const a = document.activeElement; return a === document.body ? 'body'"
                            + " : a.id || (a.closest('[id]') || a).id + ' '"
                            + " + (a.getAttribute('aria-label') || a.textContent)");
            if (where.equals("body") || where.equals(visited.isEmpty() ? "" : visited.get(0))) {
              break;
            }
            visited.add(where);
          }
          assertThat(visited).hasSizeBetween(12, 40).contains("ask-policy", "ask-key", "ask-cost");
          assertThat(visited).doesNotHaveDuplicates();
        });
  }

  @Test
  void a_timeline_tells_its_columns_to_the_keyboard() {
    visit(
        busy(configuration()),
        service -> {
          awaitText("#tile-admitted .total", "13");
          WebElement plot = find("#lanes .lane:nth-child(2) .plot");
          List<String> told = new ArrayList<>();
          plot.sendKeys(Keys.END);
          for (int i = 0; i < 3; i++) { // the traffic may have come over the border of a column
            told.add(requireNonNull(plot.getDomAttribute("aria-valuetext")));
            plot.sendKeys(Keys.ARROW_LEFT);
          }
          assertThat(told)
              .anyMatch(one -> one.endsWith(": 7 admitted, 3 refused, 0 shadow-refused"));
          assertThat(text(browser, "#sums-of")).startsWith("5 s from ");
          plot.sendKeys(Keys.ESCAPE);
          assertThat(text(browser, "#sums-of")).isEqualTo("sums of 15 minutes");
        });
  }

  private static void press(CharSequence keys) {
    browser.driver().switchTo().activeElement().sendKeys(keys);
  }

  private static void tabTo(String id) {
    for (int i = 0; i < 8; i++) {
      if (id.equals(browser.run("return document.activeElement.id"))) {
        return;
      }
      press(Keys.TAB);
    }
    assertThat(browser.run("return document.activeElement.id")).isEqualTo(id);
  }

  // Actions

  @Test
  void only_reads_without_a_token() {
    visit(
        busy(configuration()),
        service -> {
          browser.await(driver -> isSeen("read-only"));
          assertThat(isSeen("acts")).isFalse();
          assertThat(isSeen("door")).isFalse();
        });
  }

  @Test
  void asks_for_the_token_and_opens_with_it() {
    enter(
        busy(closed()),
        service -> {
          browser.await(driver -> isSeen("door"));
          assertThat(isSeen("board")).isFalse();
          assertThat(browser.violations()).isEmpty();
          find("#token").sendKeys("not-this-one", Keys.ENTER);
          browser.await(driver -> text(browser, "#door-said").startsWith("That token was not"));
          enterToken();
          awaitText("#tile-admitted .total", "13");
          assertThat(isSeen("door")).isFalse();
          assertThat(isSeen("acts")).isTrue();
          browser.driver().navigate().refresh();
          awaitText("#tile-admitted .total", "13");
          find("#forget").click();
          browser.await(driver -> isSeen("door"));
          assertThat(isSeen("board")).isFalse();
        });
  }

  private static void enterToken() {
    browser.await(driver -> isSeen("door"));
    find("#token").sendKeys(TOKEN, Keys.ENTER);
    awaitText("#link-text", "Live");
  }

  @Test
  void blocks_lifts_grants_and_resets_a_key() {
    enter(
        busy(closed()),
        service -> {
          enterToken();
          browser.complaints();

          choose("login", "bob");
          act("block");
          assertThat(ask(service, Operation.HIT, "login", "bob").allowed()).isFalse();
          browser.await(driver -> texts("#exceptions .key").equals(List.of("bob")));
          assertThat(texts("#exceptions .kind")).containsExactly("block");
          assertThat(browser.violations()).isEmpty();

          find("#exceptions button").click();
          confirm();
          browser.await(driver -> texts("#exceptions .key").isEmpty());
          assertThat(text(browser, "#lifted")).isNotEmpty();
          assertThat(ask(service, Operation.HIT, "login", "bob").allowed()).isTrue();

          choose("login", "alice");
          assertThat(ask(service, Operation.HIT, "login", "alice").allowed()).isFalse();
          act("grant");
          assertThat(ask(service, Operation.HIT, "login", "alice").allowed()).isTrue();
          act("lift");
          assertThat(ask(service, Operation.HIT, "login", "alice").allowed()).isFalse();
          act("reset");
          assertThat(ask(service, Operation.HIT, "login", "alice").allowed()).isTrue();
          assertThat(browser.complaints()).isEmpty();
        });
  }

  @Test
  void does_nothing_when_the_question_is_answered_with_no() {
    enter(
        busy(closed()),
        service -> {
          enterToken();
          choose("login", "bob");
          find("[data-act=block]").click();
          browser.await(driver -> isSeen("confirm"));
          assertThat(text(browser, "#confirm-text"))
              .isEqualTo("Block “bob” under login for 10 minutes? Every request of it is refused.");
          press(Keys.ESCAPE);
          browser.await(driver -> !isSeen("confirm"));
          assertThat(ask(service, Operation.HIT, "login", "bob").allowed()).isTrue();
        });
  }

  private static void act(String action) {
    browser.run("document.getElementById('acted').textContent = ''");
    find("[data-act=" + action + "]").click();
    confirm();
    browser.await(driver -> !text(browser, "#acted").isEmpty());
  }

  private static void confirm() {
    browser.await(driver -> isSeen("confirm"));
    find("#confirm-yes").click();
  }

  // The page itself

  @Test
  void hostile_keys_are_text_and_nothing_more() {
    visit(
        busy(configuration()),
        service -> {
          browser.await(driver -> texts("#used .key").contains(HOSTILE));
          find("#used li:nth-child(3) button").click();
          browser.await(driver -> text(browser, "#verdict").equals("It would be admitted"));
          assertThat(browser.run("return document.querySelectorAll('img').length")).isEqualTo(0L);
          assertThat(browser.driver().getTitle()).isEqualTo("Stint");
          assertThat(browser.complaints()).isEmpty();
        });
  }

  @Test
  void nobody_is_shut_out_in_light() {
    isOpenToAll(browser);
  }

  @Test
  void nobody_is_shut_out_in_dark() {
    try (Chromium dark = Chromium.start(true)) {
      isOpenToAll(dark);
      assertThat(dark.run("return matchMedia('(prefers-color-scheme: dark)').matches"))
          .isEqualTo(true);
    }
  }

  private static void isOpenToAll(Chromium in) {
    try (Service busy = busy(configuration());
        Service empty = Service.start(configuration())) {
      open(in, empty);
      assertThat(in.violations()).isEmpty();
      open(in, busy);
      in.await(driver -> text(in, "#tile-admitted .total").equals("13"));
      in.run("document.querySelector('#as-table summary').click()");
      in.run("document.querySelector('#refused li:nth-child(2) button').click()");
      in.await(driver -> text(in, "#verdict").equals("It would be refused"));
      assertThat(in.violations()).isEmpty();
      assertThat(in.complaints()).isEmpty();
      leave(in);
    }
  }

  @Test
  void fits_on_a_telephone() {
    narrow(true);
    try {
      visit(
          busy(configuration()),
          service -> {
            awaitText("#tile-admitted .total", "13");
            assertThat(browser.run("return innerWidth")).isEqualTo(360L);
            assertThat((Long) browser.run("return document.scrollingElement.scrollWidth"))
                .isLessThanOrEqualTo(360L);
            assertThat(browser.violations()).isEmpty();
          });
    } finally {
      narrow(false);
    }
  }

  private static void narrow(boolean on) {
    browser
        .driver()
        .executeCdpCommand(
            on ? "Emulation.setDeviceMetricsOverride" : "Emulation.clearDeviceMetricsOverride",
            on
                ? Map.of("width", 360, "height", 740, "deviceScaleFactor", 1, "mobile", false)
                : Map.of());
  }

  @Test
  void comes_back_when_the_service_does() {
    Service first = busy(configuration());
    int port = first.adminPort();
    try (first) {
      open(browser, first);
    }
    browser.await(driver -> text(browser, "#link-text").startsWith("Reconnecting in"));
    Listeners same = new Listeners(ANY, ANY, ANY, Listener.on("127.0.0.1", port));
    try (Service second = Service.start(configuration().withListeners(same))) {
      assertThat(second.adminPort()).isEqualTo(port);
      awaitText("#link-text", "Live");
      browser.await(driver -> isSeen("hello"));
      leave(browser);
    }
  }

  @Test
  void asks_nobody_but_its_own_service() {
    visit(
        busy(configuration()),
        service -> {
          question("login", "alice");
          @SuppressWarnings("unchecked")
          List<String> asked =
              (List<String>)
                  browser.run("return performance.getEntriesByType('resource').map(e => e.name)");
          assertThat(asked)
              .isNotEmpty()
              .allMatch(
                  address -> address.startsWith(origin(service) + "/") || address.equals("data:,"));
        });
  }
}
