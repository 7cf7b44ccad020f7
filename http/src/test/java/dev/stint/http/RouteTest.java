package dev.stint.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RouteTest {

  private static boolean matches(String method, String pattern, String asked, String path) {
    return new Route(method, pattern).matches(asked, Path.of(path));
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
    "/a%, /a%, true",
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

  @Test
  void a_wrong_pattern_is_refused() {
    assertThatThrownBy(() -> new Route(null, "orders"))
        .hasMessage("a pattern must start with '/', such as /orders/{id} or /api/**: orders");
    assertThatThrownBy(() -> new Route(null, "/**/x"))
        .hasMessage(
            "a segment of a pattern must be literal, {name} or *, and only the last may be **:"
                + " '**' in /**/x");
    assertThatThrownBy(() -> new Route(null, "/x*"))
        .hasMessageStartingWith("a segment of a pattern must be literal");
    assertThatThrownBy(() -> new Route(" ", "/x")).hasMessage("method must not be blank: ' '");
  }
}
