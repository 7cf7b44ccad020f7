package dev.stint.studio.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.ParameterException;

/** Lines of every format, awkward ones among them. */
class FormatsTest {

  private static final String AT = "2026-01-02T03:04:05Z ";

  private static String only(String line, String... args) throws Unreadable {
    Reading reading = Reading.of(line + "\n", args);
    assertThat(reading.requests()).hasSize(1);
    return reading.requests().get(0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ip     | 2001:db8::7 - - [02/Jan/2026:03:04:05 +0000] "GET / HTTP/1.1" 200 1          | 2001:db8::7
          ip     | 192.0.2.1 - - [02/Jan/2026:05:34:05 +0230] "GET / HTTP/1.1" 200 1            | 192.0.2.1
          ip     | 192.0.2.1 - - [01/Jan/2026:20:04:05 -0700] "-" 408 0 "-" "-"                 | 192.0.2.1
          user   | 192.0.2.1 - ada lovelace [02/Jan/2026:03:04:05 +0000] "GET / HTTP/1.1" 200 1 | ada lovelace
          path   | 192.0.2.1 - - [02/Jan/2026:03:04:05 +0000] "GET /a\\"b?c HTTP/1.1" 200 1     | /a\\"b
          path   | 192.0.2.1 - - [02/Jan/2026:03:04:05 +0000] "GET http://a.example/b" 200 -    | /b
          method | 192.0.2.1 - - [02/Jan/2026:03:04:05 +0000] "PUT /a HTTP/1.1" 200 1           | PUT
          status | 192.0.2.1 - - [02/Jan/2026:03:04:05 +0000] "PUT /a HTTP/1.1" 429 1           | 429
          agent  | 192.0.2.1 - - [02/Jan/2026:03:04:05 +0000] "GET /" 200 1 "-" "a \\"b\\"" 0.1 | a \\"b\\"
          """)
  void access_lines(String by, String line, String client) throws Unreadable {
    assertThat(only(line, "--by", by)).isEqualTo(AT + client);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ip   | https 2026-01-02T03:04:05Z app/a/1 192.0.2.7:4816 10.0.0.1:80 0.0 0.1 0.0 200 200 0 57 "GET https://a.example:443/b?c HTTP/1.1" "curl" - - | 192.0.2.7
          ip   | h2 2026-01-02T03:04:05Z app/a/1 [2001:db8::7]:4816 - -1 -1 -1 502 - 0 57 "GET https://a.example:443/b HTTP/2.0" "curl" - -               | 2001:db8::7
          ip   | h2 2026-01-02T03:04:05Z app/a/1 2001:db8::7:4816 - -1 -1 -1 502 - 0 57 "GET https://a.example:443/b HTTP/2.0" "curl" - -                 | 2001:db8::7
          path | 2026-01-02T03:04:05Z classic 192.0.2.7:4816 10.0.0.1:80 0.0 0.1 0.0 200 200 0 57 "GET http://a.example:80/b?c HTTP/1.1" "curl" - -        | /b
          host | https 2026-01-02T03:04:05Z app/a/1 192.0.2.7:4816 10.0.0.1:80 0.0 0.1 0.0 200 200 0 57 "GET https://a.example:443/b?c HTTP/1.1" "curl" - - | a.example
          status | https 2026-01-02T03:04:05Z app/a/1 192.0.2.7:4816 10.0.0.1:80 0.0 0.1 0.0 404 200 0 57 "GET https://a.example:443/ HTTP/1.1" "curl" - - | 404
          """)
  void load_balancer_lines(String by, String line, String client) throws Unreadable {
    assertThat(only(line, "--by", by)).isEqualTo(AT + client);
    assertThat(Reading.of(line, "--by", by).source().format()).isEqualTo("alb");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nginx-json | ip   | {"time_iso8601":"2026-01-02T05:04:05+02:00","remote_addr":"192.0.2.7"}                     | 192.0.2.7
          nginx-json | ip   | {"msec":"1767323045.000","remote_addr":"2001:db8::7"}                                      | 2001:db8::7
          nginx-json | path | {"time_local":"02/Jan/2026:03:04:05 +0000","request":"GET /a?b HTTP/1.1"}                  | /a
          nginx-json | user | {"time_iso8601":"2026-01-02T03:04:05Z","remote_user":"\\u00e4da \\"x\\"","a":[1,{"b":2}]}  | äda "x"
          envoy-json | ip   | {"start_time":"2026-01-02T03:04:05.000Z","downstream_remote_address":"192.0.2.7:5000"}     | 192.0.2.7
          envoy-json | ip   | {"start_time":"2026-01-02T03:04:05.000Z","downstream_remote_address":"[2001:db8::7]:5000"} | 2001:db8::7
          envoy-json | ip   | {"start_time":"2026-01-02T03:04:05.000Z","x_forwarded_for":"192.0.2.7, 10.0.0.1"}          | 192.0.2.7
          envoy-json | host | {"start_time":"2026-01-02T03:04:05.000Z","authority":"a.example:8443","path":"/"}          | a.example
          ndjson     | request.ip | {"ts":1767323045,"request":{"ip":"192.0.2.7"}}                                       | 192.0.2.7
          ndjson     | tenant | {"@timestamp":1767323045000,"tenant":7}                                                  | 7
          """)
  void json_lines(String format, String by, String line, String client) throws Unreadable {
    assertThat(only(line, "--by", by)).isEqualTo(AT + client);
    assertThat(Reading.of(line, "--by", by).source().format()).isEqualTo(format);
  }

  @ParameterizedTest
  @CsvSource({
    "1767323045",
    "1767323045.0",
    "1767323045000",
    "1767323045000000",
    "1767323045000000000",
    "2026-01-02 03:04:05",
    "2026-01-02T03:04:05.000+00:00",
    "2026-01-02T04:04:05+0100"
  })
  void a_time_is_known_by_its_shape(String time) throws Unreadable {
    assertThat(only("when;who\n" + time + ";ada", "--time", "when", "--key", "who"))
        .isEqualTo(AT + "ada");
  }

  @Test
  void both_sides_of_a_change_of_the_clock_are_told_apart_by_their_zone() throws Unreadable {
    String line = "192.0.2.1 - - [25/Oct/2026:02:30:00 %s] \"GET / HTTP/1.1\" 200 1\n";
    assertThat(Reading.of(line.formatted("+0200") + line.formatted("+0100")).requests())
        .containsExactly("2026-10-25T00:30:00Z 192.0.2.1", "2026-10-25T01:30:00Z 192.0.2.1");
  }

  @Test
  void csv_has_quotes_and_costs() throws Unreadable {
    String csv = "\ufefftime,\"client\",units\r\n2026-01-02T03:04:05Z,\"a \"\"b\"\", c\",3\r\n";
    assertThat(only(csv.strip(), "--key", "client", "--cost", "units"))
        .isEqualTo(AT + "a \"b\", c x3");
  }

  @Test
  void csv_columns_have_numbers_too() throws Unreadable {
    assertThat(only("ada,2026-01-02T03:04:05Z", "--time", "2", "--key", "1")).isEqualTo(AT + "ada");
  }

  @Test
  void a_cost_of_nothing_is_a_bad_line() throws Unreadable {
    String line = "{\"time\":1767323045,\"ip\":\"192.0.2.7\",\"n\":%d}\n";
    Reading reading = Reading.of(line.formatted(2) + line.formatted(0), "--cost", "n");
    assertThat(reading.source().bad()).isEqualTo(1);
    assertThat(reading.said().get(0)).contains(Wanted.COST);
  }

  @Test
  void a_field_that_the_log_lacks_is_told_with_those_it_has() {
    String line = "192.0.2.1 - - [02/Jan/2026:03:04:05 +0000] \"GET / HTTP/1.1\" 200 1\n";
    assertThatThrownBy(() -> Reading.of(line, "--by", "usr"))
        .isInstanceOf(ParameterException.class)
        .hasMessage(
            "a field must be one that the log has (ip, ident, user, method, path, status, bytes,"
                + " referer, agent): 'usr'; did you mean 'user'?");
  }

  @Test
  void anonymous_clients_are_numbered_and_no_line_is_shown() throws Unreadable {
    String line = "192.0.2.%d - - [02/Jan/2026:03:04:05 +0000] \"GET / HTTP/1.1\" 200 1\n";
    Reading reading =
        Reading.of(line.formatted(9) + line.formatted(8) + "192.0.2.3 bad\n", "--anonymize");
    assertThat(reading.requests()).containsExactly(AT + "client-1", AT + "client-2");
    assertThat(String.join("", reading.said())).contains("line 3").doesNotContain("192.0.2.3");
  }

  @Test
  void whole_seconds_are_noted() throws Unreadable {
    String line = "{\"time\":\"2026-01-02T03:04:05%s\",\"ip\":\"192.0.2.7\"}\n";
    assertThat(Reading.of(line.formatted("Z")).source().notes())
        .anyMatch(n -> n.startsWith("times are whole seconds"));
    assertThat(Reading.of(line.formatted(".5Z")).source().notes()).isEmpty();
  }

  @Test
  void a_mark_of_the_byte_order_belongs_to_no_line() throws Unreadable {
    String mark = "\ufeff";
    assertThat(
            Reading.of(mark + "\"time\",\"ip\"\r\n\"2026-01-02T03:04:05Z\",\"a\"\r\n").requests())
        .containsExactly("2026-01-02T03:04:05Z a");
    assertThat(Reading.of(mark + "{\"ts\":1767323045000,\"ip\":\"a\"}").requests())
        .containsExactly("2026-01-02T03:04:05Z a");
    assertThat(
            Reading.of(mark + "192.0.2.7 - - [02/Jan/2026:03:04:05 +0000] \"GET / HTTP/1.1\" 200 1")
                .requests())
        .containsExactly("2026-01-02T03:04:05Z 192.0.2.7");
  }
}
