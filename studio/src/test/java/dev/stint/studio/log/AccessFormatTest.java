package dev.stint.studio.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AccessFormatTest {

  private static final String COMBINED =
      "192.0.2.7 - ada [10/Oct/2000:13:55:36 -0700] \"GET /a?b=1 HTTP/1.1\" 200 23 \"-\" \"curl\"\n";
  private static final String COMMON =
      "192.0.2.7 - - [10/Oct/2000:13:55:36 +0000] \"GET / HTTP/1.1\" 200 23\n";

  @Test
  void combined_is_recognised_and_said() throws Unreadable {
    assertThat(Reading.of(COMBINED.repeat(30)).recognised())
        .isEqualTo("combined log format, from the first 20 lines; clients by ip");
  }

  @Test
  void common_is_recognised_and_said() throws Unreadable {
    assertThat(Reading.of(COMMON).recognised())
        .isEqualTo("common log format, from the first line; clients by ip");
  }

  @Test
  void the_zone_counts() throws Unreadable {
    assertThat(Reading.of(COMBINED).requests()).containsExactly("2000-10-10T20:55:36Z 192.0.2.7");
  }

  @Test
  void a_path_is_without_its_question() throws Unreadable {
    assertThat(Reading.of(COMBINED, "--by", "path").requests())
        .containsExactly("2000-10-10T20:55:36Z /a");
  }

  @Test
  void two_fields_are_joined() throws Unreadable {
    assertThat(Reading.of(COMBINED, "--by", "user,path").requests())
        .containsExactly("2000-10-10T20:55:36Z ada /a");
  }

  @Test
  void bad_lines_are_counted_and_the_first_three_shown() throws Unreadable {
    Reading reading = Reading.of(COMBINED + "what is\u001b[2J this\n".repeat(5) + COMBINED);
    assertThat(reading.source().bad()).isEqualTo(5);
    assertThat(reading.requests()).hasSize(2);
    assertThat(reading.said())
        .hasSize(3)
        .first()
        .isEqualTo("line 2 is left out: no [time] after the user: what is\\u001b[2J this");
  }
}
