package dev.stint.studio.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stint.lab.Chromium;
import dev.stint.studio.cli.Span;
import dev.stint.studio.findings.Findings;
import dev.stint.studio.trial.Timeline;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** The page in a real browser, from a file. */
class ReportPageTest {

  private static final Sample REPLAYED = Sample.replayed();
  private static final Sample RECOMMENDED = Sample.recommended();

  @TempDir private static Path folder;

  private static Chromium light;
  private static Chromium dark;

  @BeforeAll
  static void start() throws IOException {
    assumeTrue(Chromium.missing().isEmpty(), () -> Chromium.missing().orElseThrow());
    Report.write(REPLAYED.findings(), folder.resolve("replayed.html"));
    Report.write(RECOMMENDED.findings(), folder.resolve("recommended.html"));
    Report.write(Sample.simulated().findings(), folder.resolve("simulated.html"));
    Report.write(Sample.costly().findings(), folder.resolve("costly.html"));
    Report.write(Sample.nothing(), folder.resolve("nothing.html"));
    light = Chromium.start(false);
    dark = Chromium.start(true);
  }

  @AfterAll
  static void stop() {
    for (Chromium browser : new Chromium[] {light, dark}) {
      if (browser != null) {
        browser.close();
      }
    }
  }

  private static void open(Chromium browser, String page) {
    browser.open(folder.resolve(page + ".html").toUri().toString());
  }

  private static void open(String page) {
    open(light, page);
  }

  private static WebElement element(String css) {
    return light.driver().findElement(By.cssSelector(css));
  }

  private static String text(String css) {
    return element(css).getText().replace('\u00a0', ' ');
  }

  /** The text of every cell of a table's body, whether it can be seen or not. */
  @SuppressWarnings("unchecked")
  private static List<List<String>> rows(String css) {
    return (List<List<String>>)
        light.run(
            "return [...document.querySelectorAll(arguments[0] + ' tbody tr')].map(row =>"
                + " [...row.cells].map(cell => cell.innerText.replaceAll('\\u00a0', ' ')))",
            css);
  }

  private static String number(long n) {
    return String.format(Locale.ROOT, "%,d", n);
  }

  // ---- it loads --------------------------------------------------------------------------------

  @ParameterizedTest
  @ValueSource(strings = {"replayed", "recommended", "simulated", "costly", "nothing"})
  void no_page_complains_or_asks_for_anything(String page) {
    for (Chromium browser : List.of(light, dark)) {
      open(browser, page);
      assertThat(browser.complaints()).isEmpty();
      assertThat(browser.run("return performance.getEntriesByType('resource').map(e => e.name)"))
          .isEqualTo(List.of());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"replayed", "recommended", "nothing"})
  void axe_holds_nothing_against_it_by_day_or_by_night(String page) {
    for (Chromium browser : List.of(light, dark)) {
      open(browser, page);
      assertThat(browser.violations()).isEmpty();
    }
  }

  @Test
  void axe_holds_nothing_against_the_table_of_columns() {
    open("recommended");
    element("summary").click();
    assertThat(element("#columns-table").isDisplayed()).isTrue();
    assertThat(light.violations()).isEmpty();
  }

  @Test
  void it_is_dark_for_those_who_prefer_that() {
    String colour = "return getComputedStyle(document.body).backgroundColor";
    open(light, "replayed");
    open(dark, "replayed");
    assertThat(light.run(colour)).isEqualTo("rgb(253, 253, 252)");
    assertThat(dark.run(colour)).isEqualTo("rgb(21, 23, 26)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"replayed", "recommended", "nothing"})
  void it_is_no_wider_than_a_small_telephone(String page) {
    light
        .driver()
        .executeCdpCommand(
            "Emulation.setDeviceMetricsOverride",
            Map.of("width", 360, "height", 740, "deviceScaleFactor", 1, "mobile", true));
    try {
      open(page);
      assertThat(light.run("return innerWidth")).isEqualTo(360L);
      assertThat(light.run("return document.documentElement.scrollWidth")).isEqualTo(360L);
    } finally {
      light.driver().executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
    }
  }

  @Test
  void what_has_nothing_to_tell_is_not_there() {
    open("recommended");
    assertThat(element("#numbers").isDisplayed()).isFalse();
    assertThat(element("#refused").isDisplayed()).isFalse();
    assertThat(element("#proposals").isDisplayed()).isTrue();
    open("nothing");
    assertThat(element("#interrupted").isDisplayed()).isTrue();
    assertThat(text("h1")).isEqualTo("There were no requests.");
    for (String section : List.of("timeline", "numbers", "refused", "distribution", "proposals")) {
      assertThat(element("#" + section).isDisplayed()).as(section).isFalse();
    }
  }

  // ---- its numbers are the engine's ------------------------------------------------------------

  @Test
  void it_says_what_was_read_and_the_verdict() {
    open("replayed");
    Findings findings = REPLAYED.findings();
    assertThat(text("h1")).isEqualTo(findings.verdict());
    assertThat(text("#facts"))
        .contains("access.log.gz", number(findings.requests()), findings.keys() + ", by ip")
        .contains("2026-03-02 09:00:00 UTC", number(findings.source().lines()) + ", combined")
        .contains("2 not understood, 1 too late");
    assertThat(text("#notes")).isEqualTo(findings.source().notes().get(0));
    assertThat(element("#interrupted").isDisplayed()).isFalse();
  }

  @Test
  void lengths_are_told_as_the_command_tells_them() {
    open("replayed");
    Timeline arrived = REPLAYED.findings().arrived();
    assertThat(text("#facts")).contains("UTC, " + Span.about(arrived.last() - arrived.start()));
    for (long micros : new long[] {0, 999, 1500, 999_960, 59_999_999, 1_170_000_000}) {
      assertThat(told(micros)).isEqualTo(Span.about(micros));
    }
    for (long micros : new long[] {3_599_600_000L, 10_799_000_000L, 86_399_000_000L}) {
      assertThat(told(micros)).isEqualTo(Span.about(micros));
    }
  }

  private static String told(long micros) {
    return String.valueOf(light.run("return length(" + micros + ")")).replace('\u00a0', ' ');
  }

  @Test
  void simulated_traffic_has_a_seed_and_begins_at_nought() {
    open("simulated");
    assertThat(text("#facts")).contains("Seed\n" + Sample.SEED).doesNotContain("Lines");
    assertThat(text(".axis")).startsWith("0 s").contains("2 min");
  }

  @Test
  void the_numbers_of_each_lane_are_the_engines() {
    open("replayed");
    List<List<String>> rows = rows("#numbers-table");
    assertThat(rows).hasSize(6);
    for (int i = 0; i < rows.size(); i++) {
      Findings.Lane lane = REPLAYED.findings().lanes().get(i);
      long share = Math.round(100.0 * lane.refused() / (lane.admitted() + lane.refused()));
      assertThat(rows.get(i))
          .containsExactly(
              lane.name() + "\n30/minute",
              number(lane.admitted()),
              number(lane.refused()),
              share + " %",
              number(lane.keysRefused()),
              number(lane.worstSecond()),
              number(lane.worstMinute()),
              number(lane.unneeded()),
              number(lane.missed()));
    }
  }

  @Test
  void every_column_of_every_lane_is_the_engines() {
    open("replayed");
    light.run("document.querySelector('#columns').open = true");
    List<List<String>> rows = rows("#columns-table");
    Findings findings = REPLAYED.findings();
    assertThat(rows).hasSize(findings.arrived().size());
    for (int i = 0; i < rows.size(); i++) {
      List<String> wanted = new ArrayList<>(List.of(number(findings.arrived().at(i))));
      for (Findings.Lane lane : findings.lanes()) {
        wanted.add(at(lane.admittedOverTime(), i));
        wanted.add(at(lane.refusedOverTime(), i));
      }
      assertThat(rows.get(i).subList(1, rows.get(i).size())).isEqualTo(wanted);
    }
    assertThat(rows.get(1).get(0)).isEqualTo("09:00:04");
  }

  private static String at(Timeline timeline, int column) {
    return number(column < timeline.size() ? timeline.at(column) : 0);
  }

  @Test
  void a_column_is_told_to_the_keyboard_and_to_the_pointer_alike() {
    open("replayed");
    WebElement moment = element("#moment");
    moment.sendKeys(Keys.HOME, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT);
    Findings.Lane lane = REPLAYED.findings().lanes().get(0);
    assertThat(moment.getAttribute("aria-valuetext"))
        .startsWith("09:00:08 – 09:00:12; " + number(REPLAYED.findings().arrived().at(2)))
        .contains(
            String.format(
                "fixed-window %s admitted, %s refused",
                at(lane.admittedOverTime(), 2), at(lane.refusedOverTime(), 2)));
    assertThat(element(".card").isDisplayed()).isTrue();
    moment.sendKeys(Keys.ESCAPE);
    assertThat(element(".card").isDisplayed()).isFalse();
    Mouse mouse = new Mouse(light);
    mouse.over(moment, 0.503, 0.2);
    assertThat(element(".card").isDisplayed()).isTrue();
    assertThat(text(".card")).startsWith("09:05:00 – 09:05:04");
  }

  @Test
  void those_who_are_refused_are_the_engines_in_every_lane() {
    open("replayed");
    for (int i = 0; i < 6; i++) {
      element("#lane-" + i).click();
      Findings.Lane lane = REPLAYED.findings().lanes().get(i);
      List<List<String>> rows = rows("#offenders");
      assertThat(rows).hasSize(lane.offenders().size());
      for (int row = 0; row < rows.size(); row++) {
        Findings.Offender offender = lane.offenders().get(row);
        assertThat(rows.get(row).get(0)).endsWith(offender.pattern());
        assertThat(rows.get(row).get(1)).isEqualTo(number(offender.requests()));
        assertThat(rows.get(row).get(2)).startsWith(number(offender.refused()) + "\n");
      }
    }
  }

  @Test
  void why_somebody_is_refused_compares_it_with_the_limit() {
    open("replayed");
    List<List<String>> rows = rows("#offenders");
    assertThat(rows.get(0).get(0)).isEqualTo("198.51.100.164\nsteady, 4.2 a second");
    assertThat(rows.get(0).get(4))
        .startsWith("It comes 4.2 times a second, where the limit is 0.5 a second. It makes 85 %");
    assertThat(rows.stream().map(row -> row.get(4)))
        .anyMatch(why -> why.startsWith("It comes 40 at a time, where there is room for 30."))
        .anyMatch(
            why ->
                why.startsWith("It sent 110 within 3 s, where there is room for 30.")
                    && why.endsWith(", from 09:03:36 to 09:03:44."));
  }

  // ---- the limit that is tried -----------------------------------------------------------------

  /** The page's sentence against the distribution, and against a limiter that is really asked. */
  private static void assertAnswer(Sample sample, int span, long limit) {
    long keys = sample.distributions().get(span).keysAbove(limit);
    long units = sample.distributions().get(span).unitsAbove(limit);
    assertThat(sample.refusedBy(limit, sample.distributions().get(span).span()))
        .isEqualTo(new Sample.Refused(keys, units));
    assertThat(text("#answer"))
        .startsWith(number(limit) + " per ")
        .contains(" touches " + number(keys) + " of 425 clients (")
        .contains(" and refuses " + number(units) + " of ")
        .endsWith("on windows of the clock.");
    assertThat(element("#limit").getDomProperty("value")).isEqualTo(Long.toString(limit));
    assertThat(element("#line").getAttribute("aria-valuenow")).isEqualTo(Long.toString(limit));
  }

  private static long limit() {
    return Long.parseLong(element("#line").getAttribute("aria-valuenow"));
  }

  @Test
  void why_the_lanes_may_tell_other_numbers_is_said_in_plain_words() {
    open("replayed");
    assertThat(text("#clock"))
        .startsWith("This is counted in whole minutes of the clock, as fixed-window does.")
        .contains("Other algorithms look at any 1 min, wherever it begins");
  }

  @Test
  void it_starts_with_the_limit_that_was_tried() {
    open("replayed");
    assertAnswer(REPLAYED, 2, 30);
    open("recommended");
    assertAnswer(RECOMMENDED, 1, 12);
  }

  @Test
  void the_keyboard_moves_the_line() {
    open("replayed");
    WebElement line = element("#line");
    line.sendKeys(Keys.ARROW_LEFT);
    assertAnswer(REPLAYED, 2, 29);
    line.sendKeys(Keys.ARROW_UP, Keys.ARROW_RIGHT);
    assertAnswer(REPLAYED, 2, 31);
    line.sendKeys(Keys.PAGE_UP);
    assertAnswer(REPLAYED, 2, 34);
    line.sendKeys(Keys.PAGE_DOWN, Keys.PAGE_DOWN);
    assertAnswer(REPLAYED, 2, 28);
    line.sendKeys(Keys.HOME, Keys.ARROW_LEFT);
    assertAnswer(REPLAYED, 2, 1);
    line.sendKeys(Keys.END, Keys.ARROW_RIGHT);
    assertAnswer(REPLAYED, 2, 250);
    assertThat(text("#answer")).contains("touches 0 of 425 clients (0 %) and refuses 0 of");
  }

  @ParameterizedTest
  @CsvSource({"0, 0.1", "0, 0.7", "1, 0.35", "2, 0.3", "2, 0.5", "2, 0.9", "3, 0.2", "3, 0.8"})
  void the_mouse_drags_the_line_in_every_span(int span, double to) {
    open("replayed");
    element("#span-" + span).click();
    long before = limit();
    new Mouse(light).drag(element("#grip"), element("#plot"), to);
    assertThat(limit()).isNotEqualTo(before);
    assertAnswer(REPLAYED, span, limit());
  }

  @Test
  void a_finger_drags_the_line() {
    open("replayed");
    new Mouse(light).swipe(element("#grip"), element("#plot"), 0.25);
    assertThat(limit()).isBetween(2L, 10L);
    assertAnswer(REPLAYED, 2, limit());
  }

  @Test
  void the_line_does_not_follow_a_mouse_that_has_let_go() {
    open("replayed");
    Mouse mouse = new Mouse(light);
    mouse.drag(element("#grip"), element("#plot"), 0.4);
    long limit = limit();
    mouse.over(element("#plot"), 0.8, 0.5);
    assertAnswer(REPLAYED, 2, limit);
  }

  @Test
  void a_limit_can_be_typed_even_one_that_nobody_reaches() {
    open("replayed");
    element("#limit").sendKeys(Keys.chord(Keys.CONTROL, "a"), "12");
    assertAnswer(REPLAYED, 2, 12);
    element("#limit").sendKeys(Keys.chord(Keys.CONTROL, "a"), "5000");
    assertThat(text("#answer")).startsWith("5,000 per 1 min touches 0 of 425 clients");
    element("#limit").sendKeys(Keys.chord(Keys.CONTROL, "a"), Keys.DELETE, Keys.TAB);
    assertThat(element("#limit").getDomProperty("value")).isEqualTo("5000");
  }

  @Test
  void what_the_line_says_is_read_aloud() {
    open("replayed");
    assertThat(element("#answer").getAttribute("aria-live")).isEqualTo("polite");
    assertThat(element("#line").getAttribute("aria-valuetext")).isEqualTo("30 per 1 min");
  }

  @Test
  void requests_of_several_units_are_told_in_units() {
    open("costly");
    Sample costly = Sample.costly();
    assertThat(text("#answer"))
        .contains(
            "leaves "
                + number(costly.distributions().get(2).unitsAbove(30))
                + " of "
                + number(3 * costly.findings().requests())
                + " units (");
  }

  // ---- keys that want to be more, and the policy -----------------------------------------------

  @Test
  void a_hostile_key_is_text() {
    open("replayed");
    List<String> keys =
        light.driver().findElements(By.cssSelector("#offenders .key")).stream()
            .map(WebElement::getText)
            .toList();
    assertThat(keys).contains(Sample.HOSTILE, "\\u{202e}evil\\u{2028}'\"&amp;\\u{0}\\u{d800}");
    assertThat(light.run("return document.querySelectorAll('img').length")).isEqualTo(0L);
    assertThat(light.run("return document.scripts.length")).isEqualTo(2L);
  }

  @Test
  void a_script_that_got_into_the_page_would_not_run() {
    open("replayed");
    light.run(
        "const s = document.createElement('script'); s.textContent = 'window.got = 1';"
            + " document.body.append(s)");
    assertThat(light.run("return window.got")).isNull();
    assertThat(light.complaints()).anyMatch(one -> one.contains("Content Security Policy"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void the_policy_is_copied_with_or_without_a_clipboard_for_pages(boolean clipboard) {
    open("replayed");
    light
        .driver()
        .executeCdpCommand(
            "Browser.grantPermissions",
            Map.of("permissions", List.of("clipboardReadWrite", "clipboardSanitizedWrite")));
    light.driver().executeAsyncScript("navigator.clipboard.writeText('').then(arguments[0])");
    if (!clipboard) {
      light.run("navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))");
    }
    assertThat(text("#yaml")).isEqualTo(Sample.YAML.strip());
    element("#copy").click();
    light.await(driver -> text("#copied").equals("Copied"));
    Object read =
        light.driver().executeAsyncScript("navigator.clipboard.readText().then(arguments[0])");
    // What is selected has no last line end.
    assertThat(read).isEqualTo(clipboard ? Sample.YAML : Sample.YAML.stripTrailing());
  }
}
