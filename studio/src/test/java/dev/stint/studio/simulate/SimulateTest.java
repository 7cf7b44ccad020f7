package dev.stint.studio.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.memory.MemoryStore;
import dev.stint.studio.cli.ExitCode;
import dev.stint.studio.cli.Interruption;
import dev.stint.studio.cli.Terminal;
import dev.stint.studio.trial.VirtualTime;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class SimulateTest {

  @TempDir Path folder;

  private static Command simulate(String limit, String traffic, String... more) {
    String[] args = new String[4 + more.length];
    System.arraycopy(new String[] {"--limit", limit, "--traffic", traffic}, 0, args, 0, 4);
    System.arraycopy(more, 0, args, 4, more.length);
    Command command = Command.run(args);
    assertThat(command.err()).isEmpty();
    assertThat(command.code()).isZero();
    return command;
  }

  // Numbers

  @Test
  void an_attacker_gets_twice_the_limit_from_a_fixed_window_and_not_from_the_log() {
    assertThat(simulate("100/min", "attacker:window").numbers())
        .containsExactly(
            "fixed-window 600 303 1 199 199 0",
            "fixed-window-per-key 600 303 1 199 199 0",
            "sliding-log 303 600 1 100 100 0",
            "sliding-counter 453 450 1 100 150 3",
            "token-bucket 456 447 1 101 151 3",
            "leaky-bucket 456 447 1 101 151 3");
  }

  @Test
  void a_herd_is_sent_to_each_algorithm_by_its_own_answers() {
    Command herd = simulate("100/min", "retry-herd");
    assertThat(herd.numbers())
        .containsExactly(
            "fixed-window 600 300 1 50 114 72",
            "fixed-window-per-key 600 300 1 50 114 72",
            "sliding-log 600 1,011 1 50 100 0",
            "sliding-counter 600 13,068 1 50 100 461",
            "token-bucket 699 13,118 1 50 199 457",
            "leaky-bucket 699 13,118 1 50 199 457");
    assertThat(herd.out()).contains("note: clients come back when they are told to");
  }

  @Test
  void a_mix_refuses_only_who_deserves_it() {
    assertThat(simulate("100/min", "humans+attacker:window", "--algorithm", "sliding-log").out())
        .isEqualTo(
            """
            humans+attacker:window (simulated, seed 1): 3,931 requests of 51 clients in
            6 min
            limit: 100/minute

                                            clients   worst   worst  unneeded
            algorithm    admitted  refused  refused  second  minute  refusals
            sliding-log     3,331      600        1     132     824         0
            worst second and minute: all clients together

                         a column is 6 s, the highest 197
            arrived      ▁▂▃▂▂▃▄▃▃██▄▃▂▃█▄▂▄▃▂▃▂▂▃▃▂▂▂▇▇▂▄▃▂▇▃▃▃▂▂▂▂▂▁▃▂▂▃▇▆▂▁▂▂▅▄▂▂▂
            sliding-log  ▁▂▃▂▂▃▄▃▃█▄▄▃▂▃▄▄▂▄▃▂▃▂▂▃▃▂▂▂▇▃▂▄▃▂▂▃▃▃▂▂▂▂▂▁▃▂▂▃▇▂▂▁▂▂▁▄▂▂▂
                refused           ▁▅    ▅             ▁▅    ▅             ▁▅    ▅

            refused most  requests  refused  how it came
            attacker           903      600  bursts, 75 at a time    ██   ██   ██

            → sliding-log refuses 15.3 % of the requests, from 1 of 51 clients.
            """);
  }

  @Test
  void several_limits_are_decided_together() {
    assertThat(
            simulate(
                    "10/s; 100/min",
                    "steady:20/s",
                    "--algorithm",
                    "fixed-window",
                    "--duration",
                    "1min")
                .numbers())
        .containsExactly("fixed-window 100 1,100 1 10 100 0");
    assertThat(
            Command.run(
                    "--limit",
                    "10/s",
                    "--limit",
                    "100/min",
                    "--traffic",
                    "steady:20/s",
                    "--algorithm",
                    "fixed-window",
                    "--duration",
                    "1min")
                .numbers())
        .containsExactly("fixed-window 100 1,100 1 10 100 0");
  }

  @ParameterizedTest
  @CsvSource({
    "100/min, 6",
    "100/min burst 20, 6",
    "100/min token-bucket, 1",
    "100/min sliding-log, 1",
    "5 total, 1",
    "5/s sliding-log; 100/min, 1"
  })
  void every_algorithm_is_tried_if_the_limit_names_none(String limit, int lanes) {
    assertThat(simulate(limit, "steady:1/s").numbers()).hasSize(lanes);
  }

  @Test
  void decisions_are_those_of_the_library() {
    Limit limit = Limit.parse("20/min sliding-counter");
    List<Map<String, Object>> told =
        simulate(limit.toString(), "poisson:30/min+humans:3", "--decisions").decisions();
    long start = Setting.startOf(60_000_000);
    VirtualTime time = new VirtualTime(start);
    try (MemoryStore store = MemoryStore.builder().time(time).cleanPeriod(Duration.ZERO).build()) {
      RateLimiter limiter = RateLimiter.of(store, limit);
      for (Map<String, Object> one : told) {
        time.moveTo(start + (long) one.get("at"));
        assertThat(limiter.hit((String) one.get("key"), (long) one.get("cost")).allowed())
            .isEqualTo(one.get("allowed"));
      }
    }
    assertThat(told).hasSizeGreaterThan(150);
    assertThat(told.stream().map(one -> one.get("allowed")).distinct()).hasSize(2);
  }

  @Test
  void a_decision_has_all_that_was_answered() {
    assertThat(simulate("1/min fixed-window", "burst:2@3s", "--decisions").out().lines().toList())
        .containsExactly(
            "{\"at\":3000000,\"key\":\"burst\",\"cost\":1,\"algorithm\":\"fixed-window\","
                + "\"allowed\":true,\"limit\":\"1/minute fixed-window\",\"used\":1,\"remaining\":0,"
                + "\"retryAfterMicros\":0,\"resetAfterMicros\":57000000}",
            "{\"at\":3000000,\"key\":\"burst\",\"cost\":1,\"algorithm\":\"fixed-window\","
                + "\"allowed\":false,\"limit\":\"1/minute fixed-window\",\"used\":1,\"remaining\":0,"
                + "\"retryAfterMicros\":57000000,\"resetAfterMicros\":57000000}");
  }

  @Test
  void what_never_comes_is_null() {
    assertThat(simulate("1 total", "burst:2@3s", "--decisions").out())
        .contains("\"allowed\":false")
        .contains("\"retryAfterMicros\":null,\"resetAfterMicros\":null");
  }

  @Test
  void a_limit_too_large_for_a_log_is_not_measured_by_one() {
    assertThat(simulate("2000000/min fixed-window", "steady:1/s").out())
        .contains("note: there is no exact log of so large a limit")
        .doesNotContain("the exact log would");
  }

  // Output

  @ParameterizedTest
  @ValueSource(strings = {"--json", "--ascii", "--decisions"})
  void the_same_command_prints_the_same_twice(String option) {
    String[] args = {"--limit", "20/min", "--traffic", "humans:9+retry-herd+flash-sale:9", option};
    assertThat(Command.run(args)).isEqualTo(Command.run(args));
  }

  @Test
  void json_has_the_numbers_that_the_text_has() {
    String json = simulate("100/min", "attacker:window", "--json").out();
    assertThat(json)
        .contains("\"command\" : \"simulate\"", "\"requests\" : 903", "\"seed\" : 1")
        .contains("\"span\" : \"1 min\"", "\"span\" : \"10 s\"", "mode: shadow");
    assertThat(json.split("\"name\" : \"")).hasSize(1 + 1 + 6);
  }

  @Test
  void fits_into_eighty_columns() {
    for (String traffic : List.of("humans+attacker:window", "retry-herd", "flash-sale")) {
      assertThat(simulate("100/min", traffic).out().lines())
          .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    }
  }

  @Test
  void ascii_is_ascii_and_a_terminal_has_colours() {
    assertThat(simulate("100/min", "attacker:window", "--ascii").out()).matches("\\p{ASCII}+");
    Terminal screen = new Terminal(true, 120, 0);
    String[] args = {"--limit", "100/min", "--traffic", "attacker:window"};
    assertThat(Command.run(screen, Interruption.none(), args).out()).contains("\u001b[31m");
  }

  @Test
  void help_begins_with_an_example_that_works() {
    String example = Command.run("--help").out().lines().findFirst().orElseThrow();
    assertThat(example).startsWith("Example: stint simulate ");
    String[] args = example.substring("Example: stint simulate ".length()).split(" ", -1);
    assertThat(Command.run(args).code()).isZero();
  }

  @Test
  void an_interruption_ends_it_with_what_there_is() {
    Interruption interruption = Interruption.none();
    interruption.now();
    for (String traffic : List.of("humans", "retry-herd")) {
      Command command = Command.run(interruption, "--limit", "100/min", "--traffic", traffic);
      assertThat(command.code()).isEqualTo(130);
      assertThat(command.out()).contains("interrupted", "No request came");
      assertThat(Command.run(interruption, "--limit", "9/s", "--traffic", traffic, "--json").out())
          .contains("\"interrupted\" : true");
    }
  }

  // Mistakes

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --traffic humans                       | --limit must be given, such as --limit 100/min
          --limit 9/s                            | --traffic must be given, such as --traffic humans+attacker:window
          --limit 9/minit --traffic humans       | --limit must be a rate such as 100/minute: rate string
          --limit 9/s --traffic human            | unknown traffic 'human'; did you mean 'humans'?
          --limit 9/s --traffic humans --algorithm bucket | algorithm must be all or one of fixed-window,
          --limit 9/s --traffic humans --algorithm sliding-lag | algorithm must be all or one of fixed-window, fixed-window-per-key, sliding-log, sliding-counter, token-bucket, leaky-bucket: 'sliding-lag'; did you mean 'sliding-log'?
          --limit 9/s --traffic humans --duration 5      | --duration must be a length of time such as 90s, 1.5s or 1h30min: '5'
          --limit 9/s --traffic humans --duration 0s     | --duration must be longer than nothing: 0s
          --limit 9/s --traffic humans --duration 99999d | --duration must be at most 36500d: '99999d'
          --limit 9/s --traffic humans --start noon      | --start must be an instant such as 2026-01-01T00:00:30Z: 'noon'
          --limit 9/s --traffic humans --top -1          | --top must be 0 or more: -1
          --limit 9/s --traffic steady:1000000/s         | traffic must be at most 10,000,000 requests, and this is more; choose a shorter --duration or less of it
          """)
  void a_mistake_ends_with_a_sentence_and_code_2(String args, String sentence) {
    Command command = Command.run(args.split(" ", -1));
    assertThat(command.err()).startsWith(sentence);
    assertThat(command.code()).isEqualTo(2);
    assertThat(command.out()).isEmpty();
  }

  @Test
  void a_quota_has_no_window_to_time() {
    Command command = Command.run("--limit", "5 total", "--traffic", "attacker:window");
    assertThat(command.code()).isEqualTo(2);
    assertThat(command.err())
        .startsWith("this traffic is timed by the first limit's window, and a quota has none");
  }

  @Test
  void a_report_that_cannot_be_written_is_told_and_the_results_are_not_lost() {
    Path nowhere = folder.resolve("nowhere/report.html");
    for (Path page : List.of(nowhere, folder)) {
      Command command =
          Command.run("--limit", "9/s", "--traffic", "humans", "--html", page.toString());
      assertThat(command.code()).isEqualTo(1);
      assertThat(command.out()).contains("algorithm", "refused");
      assertThat(command.err())
          .startsWith("simulate: --html must name a file that can be written: '" + page + "' is ")
          .contains(page.equals(folder) ? "name a file in it" : "make it, or name another");
    }
  }

  @Test
  void help_tells_what_must_be_given_and_the_exit_codes() {
    assertThat(Command.run("--help").out())
        .contains("stint simulate --limit=RATE --traffic=KIND", "Required.", "(default: 1)")
        .containsSubsequence("Exit codes:", "0", "1", "2", "3", "130");
  }

  @Test
  void a_trace_that_cannot_be_read_ends_with_a_sentence_and_code_3() throws Exception {
    Path binary = Files.write(folder.resolve("binary"), new byte[] {0, (byte) 0xff, (byte) 0xfe});
    Path empty = Files.writeString(folder.resolve("empty"), "", StandardCharsets.UTF_8);
    Path missing = folder.resolve("missing");
    unreadable(binary, "trace must be text in UTF-8, a request a line: '" + binary + "'");
    unreadable(empty, "trace must have a request, such as '0ms alice': '" + empty + "'");
    unreadable(missing, "trace must be a file, and there is none: '" + missing + "'");
    unreadable(folder, "trace cannot be read: '" + folder + "'");
  }

  private static void unreadable(Path file, String sentence) {
    Command command = Command.run("--limit", "9/s", "--traffic", "trace:" + file);
    assertThat(command.err()).startsWith("simulate: " + sentence);
    assertThat(command.code()).isEqualTo(3);
    assertThat(command.out()).isEmpty();
  }

  @Test
  void the_list_of_commands_has_its_description() {
    Simulate command = new Simulate(Terminal.plain(), Interruption.none());
    String all =
        new CommandLine(picocli.CommandLine.Model.CommandSpec.create())
            .addSubcommand(command)
            .getUsageMessage();
    assertThat(all).contains("Sends ").doesNotContain("Example");
  }

  @Test
  void a_trace_has_no_cost_whose_sums_would_overflow_where_costs_are_summed(@TempDir Path folder)
      throws Exception {
    Path trace = folder.resolve("trace");
    String[] args = {"--limit", "9/s", "--traffic", "trace:" + trace};
    Files.writeString(trace, "0ms a 1000000000\n");
    assertThat(Command.run(args).code()).isZero();
    Files.writeString(trace, "0ms a 1\n1ms a 9223372036854775807\n");
    Command summed = Command.run(args);
    assertThat(summed.code()).isEqualTo(ExitCode.UNREADABLE);
    assertThat(summed.err())
        .contains(
            "a cost must be at most 1000000000 where costs are added up, which --decisions does"
                + " not: 9223372036854775807 in '"
                + trace
                + "'");
    assertThat(Command.run("--limit", "9/s", "--traffic", "trace:" + trace, "--decisions").code())
        .isZero();
  }
}
