package dev.stint.studio.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.studio.cli.Span;
import dev.stint.studio.log.Unreadable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrafficTest {

  private static final long SECOND = Span.SECOND;
  private static final Setting SETTING =
      new Setting(Setting.startOf(Span.MINUTE), 6 * Span.MINUTE, 100, Span.MINUTE);

  @TempDir Path folder;

  private static List<Source.Request> requests(String traffic, Setting setting, long seed)
      throws Unreadable {
    Source source = Traffic.parse(traffic).open(setting, seed);
    List<Source.Request> requests = new ArrayList<>();
    while (source.next() < setting.duration()) {
      requests.add(source.take());
      source.answered(true, 0);
    }
    return requests;
  }

  private static List<Source.Request> requests(String traffic) throws Unreadable {
    return requests(traffic, SETTING, 1);
  }

  private static List<Long> times(String traffic, Setting setting) throws Unreadable {
    return requests(traffic, setting, 1).stream().map(Source.Request::at).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "steady:90/min, 540, 1",
    "poisson:100/min, 586, 1",
    "burst:200@boundary, 1000, 1",
    "burst:200@3s, 200, 1",
    "attacker:window, 903, 1",
    "humans, 3028, 50",
    "humans:7, 488, 7",
    "flash-sale, 10823, 200",
    "flash-sale:20, 1139, 20",
    "retry-herd:10, 1205, 1",
    "humans+attacker:window, 3931, 51",
    "steady:90/min+steady:10/min, 600, 2"
  })
  void each_shape_has_exactly_so_many_requests_of_so_many_clients(
      String traffic, int requests, int clients) throws Unreadable {
    List<Source.Request> all = requests(traffic);
    assertThat(all.size()).isEqualTo(requests);
    assertThat(all.stream().map(Source.Request::key).distinct()).hasSize(clients);
  }

  @ParameterizedTest
  @CsvSource({
    "steady:7/s",
    "poisson:100/min",
    "burst:200@boundary",
    "attacker:window",
    "humans",
    "flash-sale",
    "retry-herd",
    "humans+attacker:window+flash-sale+burst:9@61s"
  })
  void requests_come_in_order_and_the_same_again_from_the_same_seed(String traffic)
      throws Unreadable {
    List<Source.Request> all = requests(traffic, SETTING, 7);
    assertThat(all).isSortedAccordingTo((a, b) -> Long.compare(a.at(), b.at()));
    assertThat(all.get(0).at()).isNotNegative();
    assertThat(requests(traffic, SETTING, 7)).isEqualTo(all);
  }

  @ParameterizedTest
  @CsvSource({"poisson:100/min", "humans", "flash-sale", "retry-herd"})
  void another_seed_gives_another_traffic(String traffic) throws Unreadable {
    assertThat(requests(traffic, SETTING, 1)).isNotEqualTo(requests(traffic, SETTING, 2));
  }

  @Test
  void steady_requests_are_the_same_distance_apart() throws Unreadable {
    assertThat(times("steady:4/s", SETTING)).startsWith(0L, 250_000L, 500_000L, 750_000L, SECOND);
  }

  @Test
  void poisson_has_the_rate_it_is_told_on_average() throws Unreadable {
    Setting day = new Setting(0, 24 * 60 * Span.MINUTE, 100, Span.MINUTE);
    assertThat(requests("poisson:100/min", day, 1).size()).isBetween(142_500, 145_500);
  }

  @Test
  void a_burst_at_the_boundary_is_half_before_and_half_after_each_edge_of_the_clock()
      throws Unreadable {
    // Ten seconds before an edge.
    Setting setting = new Setting(SETTING.start() - 10 * SECOND, 100 * SECOND, 100, Span.MINUTE);
    assertThat(times("burst:4@boundary", setting))
        .containsExactly(
            9_500_000L,
            9_750_000L,
            10_000_000L,
            10_250_000L,
            69_500_000L,
            69_750_000L,
            70_000_000L,
            70_250_000L);
  }

  @Test
  void a_burst_at_a_moment_comes_at_once() throws Unreadable {
    assertThat(times("burst:3@1.5s", SETTING)).containsExactly(1_500_000L, 1_500_000L, 1_500_000L);
  }

  @Test
  void an_attacker_opens_a_window_and_strikes_around_its_end() throws Unreadable {
    Setting setting = new Setting(SETTING.start(), 2 * Span.MINUTE, 2, Span.MINUTE);
    assertThat(times("attacker:window", setting))
        .containsExactly(
            0L, 59_500_000L, 59_750_000L, 60_000_000L, 60_250_000L, 90_000_000L, 90_250_000L);
  }

  @Test
  void a_sale_is_quiet_then_steep_then_slowly_over() throws Unreadable {
    List<Source.Request> sale = requests("flash-sale");
    long[] twelfths = new long[12];
    sale.forEach(request -> twelfths[(int) (request.at() * 12 / SETTING.duration())]++);
    assertThat(twelfths[0] + twelfths[1] + twelfths[2]).isLessThan(sale.size() / 50);
    assertThat(twelfths[3]).isGreaterThan(sale.size() / 8);
    assertThat(twelfths[5]).isGreaterThan(twelfths[7]);
    assertThat(twelfths[7]).isGreaterThan(twelfths[9]);
  }

  @Test
  void a_herd_comes_back_exactly_when_it_was_told_to() throws Unreadable {
    Source herd = Traffic.parse("retry-herd:3").open(SETTING, 1);
    List<Long> times = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      Source.Request request = herd.take();
      times.add(request.at());
      herd.answered(false, request.at() == 0 ? 5 * SECOND : Source.NEVER);
    }
    assertThat(times).containsExactly(0L, 0L, 0L, 5 * SECOND, 5 * SECOND, 5 * SECOND);
    assertThat(herd.next()).as("who is told never, does not come").isEqualTo(Source.NEVER);
  }

  @Test
  void adding_a_part_changes_nothing_of_the_parts_before_it() throws Unreadable {
    List<Source.Request> mixed =
        requests("humans:5+poisson:9/min").stream()
            .filter(request -> request.key().startsWith("human"))
            .toList();
    assertThat(mixed).isEqualTo(requests("humans:5"));
  }

  @Test
  void parts_have_keys_of_their_own() throws Unreadable {
    assertThat(
            requests("humans:1+attacker:window+steady:1/min+steady:1/min+retry-herd").stream()
                .map(Source.Request::key)
                .collect(Collectors.toSet()))
        .containsExactlyInAnyOrder("human-1", "attacker", "steady", "steady2", "herd");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          stedy:90/min      | unknown traffic 'stedy'; did you mean 'steady'?
          robots            | unknown traffic 'robots'; it is one of steady:90/min, poisson:100/min, burst:200@boundary, burst:200@3s, attacker:window, humans, humans:50, retry-herd, flash-sale, trace:FILE
          humans+           | unknown traffic ''; it is one of steady:90/min, poisson:100/min, burst:200@boundary, burst:200@3s, attacker:window, humans, humans:50, retry-herd, flash-sale, trace:FILE
          steady            | steady must have a rate, such as steady:90/min: rate string
          steady:90/min burst 5 | steady must have a rate and nothing else, such as steady:90/min: '90/min burst 5'
          burst:200         | burst must have a number and a moment, such as burst:200@boundary or burst:200@3s: '200'
          burst:x@boundary  | burst must have a number from 1 to 10000000: 'x'
          burst:5@boundry   | burst must be at 'boundary' or at a moment such as 3s: 'boundry'
          burst:5@3         | burst's moment must be a length of time such as 90s, 1.5s or 1h30min: '3'
          attacker          | attacker must be told what to time, which is attacker:window: ''
          humans:0          | humans must have a number from 1 to 1000000: '0'
          flash-sale:many   | flash-sale must have a number from 1 to 1000000: 'many'
          """)
  void a_mistake_is_told_in_a_sentence(String traffic, String sentence) {
    assertThatThrownBy(() -> Traffic.parse(traffic))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(sentence);
  }

  private String trace(String lines) throws IOException {
    return "trace:" + Files.writeString(folder.resolve("requests"), lines.replace('~', '\n'));
  }

  @Test
  void a_trace_is_read_line_by_line() throws Exception {
    assertThat(requests(trace("# who came~0ms alice~~1.5s bob 3 # twice~1min1us alice")))
        .containsExactly(
            new Source.Request(0, "alice", 1),
            new Source.Request(1_500_000, "bob", 3),
            new Source.Request(60_000_001, "alice", 1));
  }

  @Test
  void a_trace_of_instants_begins_where_it_says() throws Exception {
    String lines = trace("2026-01-01T00:00:30Z a~2026-01-01T00:00:31.5Z b");
    Traffic traffic = Traffic.parse(lines);
    long start = traffic.firstInstant().getAsLong();
    assertThat(start).isEqualTo(1_767_225_630_000_000L);
    assertThat(traffic.length(start)).hasValue(1_500_001);
    assertThat(times(lines, new Setting(start, Span.MINUTE, 1, Span.MINUTE)))
        .containsExactly(0L, 1_500_000L);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0ms               | 1: a line must be a time, a key and perhaps a cost, such as '1.5s alice 2': '0ms'
          0ms a 1 b         | 1: a line must be a time, a key and perhaps a cost, such as '1.5s alice 2': '0ms a 1 b'
          5s a~1s a         | 2: times must not go back; sort the lines: '1s'
          5 a               | 1: time must be a length of time such as 90s, 1.5s or 1h30min: '5'
          5m a              | 1: time must have a unit of us, ms, s, min, h or d: 'm'
          0.5us a           | 1: time must be a whole number of microseconds: '0.5us'
          2026-01-01T00 a   | 1: an instant must be written as 2026-01-01T00:00:00Z: '2026-01-01T00'
          0s a~2026-01-01T00:00:00Z a | 2: times must be all since the start, or all instants: '2026-01-01T00:00:00Z'
          0s a -1           | 1: a cost must be a whole number from 1 on: '-1'
          0s a much         | 1: a cost must be a whole number from 1 on: 'much'
          """)
  void a_line_that_is_wrong_is_told_with_its_number(String lines, String sentence)
      throws Exception {
    String trace = trace(lines);
    assertThatThrownBy(() -> Traffic.parse(trace))
        .isInstanceOf(Unreadable.class)
        .hasMessage(folder.resolve("requests") + ":" + sentence);
  }
}
