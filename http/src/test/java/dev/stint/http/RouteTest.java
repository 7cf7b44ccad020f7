package dev.stint.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RouteTest {

  private static boolean matches(String method, String pattern, String asked, String path) {
    Route route = new Route(method, pattern);
    return route.isFor(asked) && Path.of(path).anyMatches(route.in(PatternSyntax.SEGMENTS));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/admin/users",
        "/admin/users/",
        "//admin//users",
        "/./admin/./users",
        "/x/../admin/users",
        "/../admin/users",
        "/%61dmin/users",
        "/admin/%75sers",
        "/admin/x/%2e%2e/users",
        "/admin/x/%2E./users",
        "/admin;v=1/users;x",
        "/admin%2Fusers",
        "/x%2f..%2fadmin/users",
        "/admin%2fx/../users",
      })
  void no_way_of_writing_a_path_dodges_its_rule(String path) {
    assertThat(matches(null, "/admin/users", "GET", path)).as(path).isTrue();
    assertThat(matches(null, "/admin/**", "GET", path)).as(path).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "/orders/{id}, /orders/7, true",
    "/orders/{id}, /orders/7/lines, false",
    "/orders/{id}, /orders, false",
    "/orders/*/lines, /orders/7/lines, true",
    "/orders/**, /orders, true",
    "/orders/**, /orders/7/lines, true",
    "/orders/**, /ordersx, false",
    "/**, /, true",
    "/, /, true",
    "/, /x, false",
    "/a%20b, /a b, true",
    "/a+b, /a+b, true",
    "/{id}, /a%2Fb, true",
    "/a, /a%, false",
    "/{id}, /a%, true",
    "/%7Bid%7D, /{id}, true",
    "/%7Bid%7D, /7, false",
    "/Orders, /orders, false",
  })
  void a_pattern_matches_segment_by_segment(String pattern, String path, boolean expected) {
    assertThat(matches(null, pattern, "GET", path)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "GET, GET, true",
    "GET, HEAD, true",
    "GET, get, true",
    "GET, POST, false",
    "post, POST, true",
    "HEAD, GET, false"
  })
  void a_rule_for_get_is_for_head_too(String method, String asked, boolean expected) {
    assertThat(matches(method, "/x", asked, "/x")).isEqualTo(expected);
  }

  private static void refused(String pattern, String message) {
    assertThatThrownBy(() -> HttpLimiter.of(Rule.of("api", "1/minute").on(pattern)))
        .hasMessage(message);
  }

  @Test
  void a_pattern_that_is_not_supported_is_refused_with_its_cure() {
    refused("orders", "a pattern must start with '/', such as /orders/{id} or /api/**: orders");
    refused(
        "/a /b",
        "a pattern must not contain white space: '/a /b'; write each pattern as an entry of its"
            + " own");
    String segment =
        "rule api: a segment of a pattern must be literal, {name} or *, and only the last may be"
            + " **: ";
    refused(
        "/**/x",
        segment + "'**' in /**/x; end the pattern with /** to match any number of segments");
    refused(
        "/files/{*path}",
        segment
            + "'{*path}' in /files/{*path}; end the pattern with /** to match any number of"
            + " segments");
    refused(
        "/orders/{id:[0-9]+}",
        segment
            + "'{id:[0-9]+}' in /orders/{id:[0-9]+}; write {name} or * in place of the segment to"
            + " match any one");
    refused(
        "/x*", segment + "'x*' in /x*; write {name} or * in place of the segment to match any one");
    refused("/a/../b", segment + "'..' in /a/../b; write the path that it leads to");
    for (String odd : new String[] {"/a?b", "/a;v=1", "/a|b", "/a%", "/a\\b"}) {
      refused(
          odd,
          segment
              + "'"
              + odd.substring(1)
              + "' in "
              + odd
              + "; encode other characters, such as %20 for a space");
    }
  }

  @Test
  void a_method_that_no_request_has_is_refused() {
    Rule rule = Rule.of("api", "1/minute");
    assertThatThrownBy(() -> rule.on("GTE", "/x"))
        .hasMessage(
            "a method must be one of HTTP's, such as GET or POST: 'GTE'; did you mean 'GET'?");
    assertThatThrownBy(() -> rule.on("GET|POST", "/x"))
        .hasMessage(
            "a method must be one of HTTP's, such as GET or POST: 'GET|POST'; write each method as"
                + " an entry of its own, such as GET /x and POST /x");
    assertThatThrownBy(() -> rule.on(" ", "/x"))
        .hasMessageStartingWith("a method must be one of HTTP's, such as GET or POST: ' '");
    assertThat(rule.on("propfind", "/x").routes()).containsExactly("PROPFIND /x");
  }

  @Test
  void an_exemption_is_for_a_path_only_if_every_reading_of_it_matches() {
    Predicate<PathReading> health = PatternSyntax.SEGMENTS.parse("/health/**");
    assertThat(Path.of("/health/live").allMatch(health)).isTrue();
    for (String path :
        new String[] {"/health/../admin", "/health/%2e%2e/admin", "/x/../health", "/%68ealth"}) {
      assertThat(Path.of(path).allMatch(health)).as(path).isFalse();
    }
  }

  @Test
  void a_long_path_that_is_odd_in_every_way_matches_every_pattern_and_no_exemption() {
    String odd = "/a;b/%2e%2e/.//..%2f%5c%252e".repeat(200);
    assertThat(matches(null, "/admin/users", "GET", odd)).isTrue();
    assertThat(Path.of(odd).allMatch(PatternSyntax.SEGMENTS.parse("/**"))).isFalse();
    assertThat(Path.of(odd).readings()).hasSizeLessThan(20);
    String honest = "/search/" + "%e4%b8%ad".repeat(500);
    assertThat(matches(null, "/admin/users", "GET", honest)).isFalse();
  }

  @Test
  void a_slash_at_the_end_is_read_and_left_out() {
    assertThat(Path.of("/orders/").readings())
        .extracting(PathReading::text)
        .containsExactly("/orders/", "/orders");
    assertThat(Path.of("/orders").readings()).hasSize(1);
    assertThat(Path.of("/").readings()).hasSize(1);
  }
}
