package dev.stint.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeySourceTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "Bearer abc         | bearer:abc",
        "bearer abc         | bearer:abc",
        "BEARER   abc       | bearer:abc",
        "Bearer             | -",
        "Bearerabc          | -",
        "Basic abc          | -",
        "Bearer a b         | -",
        "Bearer a, Bearer b | -",
      })
  void a_bearer_token_is_found_whatever_the_case_of_its_scheme(String line, String text) {
    FakeRequest request = FakeRequest.get("/").header("Authorization", line);
    assertThat(KeySource.bearerToken().text(request)).isEqualTo(text);
  }

  @Test
  void two_lines_of_authorization_are_no_token() {
    FakeRequest request =
        FakeRequest.get("/")
            .header("Authorization", "Bearer a")
            .header("Authorization", "Bearer b");
    assertThat(KeySource.bearerToken().text(request)).isNull();
  }

  @Test
  void a_header_in_several_lines_is_no_key() {
    FakeRequest request = FakeRequest.get("/").header("X-Key", "a");
    assertThat(KeySource.header("X-KEY").text(request)).isEqualTo("header:x-key:a");
    request.header("x-key", "b");
    assertThat(KeySource.header("X-KEY").text(request)).isNull();
    assertThat(KeySource.parse("header:X-Key | address").text(request)).isNull();
  }

  @Test
  void an_empty_header_is_none() {
    assertThat(KeySource.header("X-Key").text(FakeRequest.get("/").header("X-Key", ""))).isNull();
    assertThat(KeySource.header("X-Key").text(FakeRequest.get("/"))).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "session=1       | 1",
        "a=b; session=1  | 1",
        "a=b;session=\"1\" | 1",
        "xsession=1      | -",
        "session=        | -",
        "Session=1       | -",
        "=1; session     | -",
        "session=1; session=2 | -",
        "session=; session=1  | -",
        ",session=1      | 1",
        "a=b; , session=1     | 1",
        "session=a,b     | a,b",
        ",session=1; session=2 | -",
        "a=b,session=1; session=2 | -",
        "session=\"1\\2\"  | 12",
      })
  void a_cookie_is_found_by_its_whole_name(String line, String value) {
    FakeRequest request = FakeRequest.get("/").header("Cookie", line);
    String text = KeySource.cookie("session").text(request);
    assertThat(text).isEqualTo(value == null ? null : "cookie:session:" + value);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "key=a         | a",
        "x=1&key=a     | a",
        "key=a&key=b   | -",
        "key=a&k%65y=a | -",
        "k%65y=%61+b   | a b",
        "key=%zz       | %zz",
        "key           | -",
        "xkey=a        | -",
        "==key=a       | a",
        "=key=a&key=b  | -",
      })
  void a_query_parameter_is_decoded(String query, String value) {
    String text = KeySource.queryParameter("key").text(FakeRequest.get("/").query(query));
    assertThat(text).isEqualTo(value == null ? null : "query:key:" + value);
  }

  @Test
  void an_ipv6_address_stands_for_its_network() {
    FakeRequest request = FakeRequest.get("/").from("2001:db8:1:2:3:4:5:6");
    assertThat(KeySource.clientAddress().text(request)).isEqualTo("address:2001:db8:1:2::/64");
    assertThat(KeySource.clientAddress(56).text(request)).isEqualTo("address:2001:db8:1::/56");
    assertThat(KeySource.clientAddress().textOf("2001:db8:1:2::ffff"))
        .isEqualTo("address:2001:db8:1:2::/64");
  }

  @Test
  void a_route_is_the_frameworks_or_the_rules() {
    assertThat(KeySource.route().text(FakeRequest.get("/orders/7").template("/orders/{id}")))
        .isEqualTo("route:/orders/{id}");
    assertThat(KeySource.route().text(FakeRequest.get("/orders/7"))).isEqualTo("route:/**");
  }

  @Test
  void the_first_that_is_there_is_taken() {
    KeySource source = KeySource.firstOf(KeySource.bearerToken(), KeySource.clientAddress());
    assertThat(source.text(FakeRequest.get("/").header("Authorization", "Bearer t")))
        .isEqualTo("bearer:t");
    assertThat(source.text(FakeRequest.get("/"))).isEqualTo("address:203.0.113.9");
  }

  @Test
  void together_none_may_be_missing() {
    KeySource source = KeySource.together(KeySource.header("a"), KeySource.header("b"));
    assertThat(source.text(FakeRequest.get("/").header("a", "1"))).isNull();
    assertThat(source.text(FakeRequest.get("/").header("a", "1").header("b", "2")))
        .isEqualTo("header:a:1 + header:b:2");
  }

  @Test
  void nobody_can_write_the_joint_into_a_part() {
    KeySource source = KeySource.together(KeySource.header("a"), KeySource.header("b"));
    String one = source.text(FakeRequest.get("/").header("a", "1 + header:b:2").header("b", "3"));
    String other = source.text(FakeRequest.get("/").header("a", "1").header("b", "2 + header:b:3"));
    assertThat(one).isNotEqualTo(other);
    String backslash =
        source.text(FakeRequest.get("/").header("a", "1\\ + header:b:2").header("b", "3"));
    assertThat(backslash).isNotEqualTo(one);
  }

  @Test
  void nobody_can_write_the_joint_into_the_only_part_that_is_there() {
    KeySource a = KeySource.header("a");
    KeySource both = KeySource.together(a, KeySource.header("b"));
    FakeRequest alone = FakeRequest.get("/").header("a", "1 + header:b:2");
    String victim = both.text(FakeRequest.get("/").header("a", "1").header("b", "2"));
    assertThat(KeySource.firstOf(both, a).text(alone)).isNotEqualTo(victim);
    KeySource nested = KeySource.firstOf(KeySource.firstOf(a, KeySource.bearerToken()), both);
    assertThat(nested.text(alone)).isNotEqualTo(victim);
    assertThat(KeySource.firstOf(a, KeySource.bearerToken()).text(alone))
        .isEqualTo("header:a:1 + header:b:2");
  }

  @Test
  void a_token_is_never_anothers_address() {
    KeySource source = KeySource.firstOf(KeySource.bearerToken(), KeySource.clientAddress());
    assertThat(source.text(FakeRequest.get("/").header("Authorization", "Bearer 203.0.113.9")))
        .isNotEqualTo(source.text(FakeRequest.get("/")));
    KeySource posing = KeySource.of("address", request -> "203.0.113.9");
    assertThat(posing.text(FakeRequest.get("/"))).isEqualTo("custom:address:203.0.113.9");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "address",
        "address/56",
        "bearer",
        "header:x-api-key",
        "cookie:session",
        "query:key",
        "principal",
        "route",
        "tenant",
        "bearer | address",
        "tenant + route",
        "tenant + principal | address"
      })
  void words_are_read_and_written_alike(String words) {
    assertThat(KeySource.parse(words).toString()).isEqualTo(words);
  }

  @ParameterizedTest
  @CsvSource({
    "adress, 'adress'",
    "bearer | adress, 'adress' in 'bearer | adress'",
    "bearer |, '' in 'bearer |'",
    "header, 'header'",
    "head:x, 'head:x'",
    "address/x, 'address/x'"
  })
  void a_wrong_word_is_named(String words, String end) {
    assertThatThrownBy(() -> KeySource.parse(words))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("a key must be address, bearer, header:NAME")
        .hasMessageEndingWith(": " + (end.startsWith("'") ? end : "'" + end + "'"));
  }

  @Test
  void a_wrong_name_is_refused() {
    assertThatThrownBy(() -> KeySource.header("X Key"))
        .hasMessage("the name of a header must be letters, digits and hyphens: X Key");
    assertThatThrownBy(() -> KeySource.clientAddress(0))
        .hasMessage("the prefix of IPv6 addresses must be 1 to 128 bits: 0");
    assertThatThrownBy(() -> KeySource.firstOf(KeySource.principal()))
        .hasMessage("a composed key source must have at least 2 sources: 1");
  }

  @Test
  void what_needs_a_principal_says_so() {
    assertThat(KeySource.parse("principal | address").needsPrincipal()).isTrue();
    assertThat(KeySource.parse("bearer | address").needsPrincipal()).isFalse();
    assertThat(KeySource.of(request -> "x").afterAuthentication().needsPrincipal()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "address, true",
    "address/48, true",
    "bearer | address, true",
    "tenant + route | header:x + address/56, true",
    "header:X-Client-Address, false",
    "cookie:address, false",
    "query:address | principal, false",
    "tenant + route, false",
  })
  void it_says_whether_it_counts_by_address(String words, boolean expected) {
    assertThat(KeySource.parse(words).needsAddress()).isEqualTo(expected);
    assertThat(KeySource.parse(words).afterAuthentication().needsAddress()).isEqualTo(expected);
    assertThat(KeySource.of("address", request -> words).needsAddress()).isFalse();
  }
}
