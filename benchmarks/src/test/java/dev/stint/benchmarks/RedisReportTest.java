package dev.stint.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RedisReportTest {

  private static final long SECOND = 1_000_000_000;

  private final RedisResults results = new RedisResults(new Environment(Map.of("mode", "a test")));

  private static CommandStats scripts(long calls, long gets) {
    return CommandStats.parse(
        "cmdstat_evalsha:calls=%d,usec=%d,\ncmdstat_get:calls=%d,usec=1,"
            .formatted(calls, 20 * calls, gets));
  }

  private static Callers.Tally tally(long asked) {
    return new Callers.Tally(asked, 0, SECOND);
  }

  /** One round, in which Stint is so many times as fast as everybody else. */
  private static void round(RedisFigure figure, long others, double times) {
    for (RedisContestant contestant : RedisContestant.values()) {
      long asked = contestant == RedisContestant.STINT ? Math.round(times * others) : others;
      figure.add(contestant, tally(asked), scripts(asked, 2 * asked));
    }
  }

  private RedisFigure figure(RedisScenario scenario) {
    RedisFigure figure = new RedisFigure(scenario);
    results.figures().add(figure);
    return figure;
  }

  private String verdict(String name) {
    return RedisTargets.of(results).stream()
        .filter(target -> target.name().contains(name))
        .map(target -> target.measured().orElse("") + " " + target.verdict())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void a_median_is_the_value_in_the_middle_or_between_the_two() {
    assertThat(Spread.of(List.of(9.0, 1.0, 2.0))).isEqualTo(new Spread(2, 1, 9));
    assertThat(Spread.of(List.of(9.0, 1.0, 2.0, 4.0))).isEqualTo(new Spread(3, 1, 9));
    assertThat(Spread.of(List.of(5.0))).isEqualTo(new Spread(5, 5, 5));
  }

  @Test
  void ratios_are_taken_round_by_round() {
    RedisFigure figure = figure(RedisScenario.many(8));
    round(figure, 1_000, 2.0);
    round(figure, 10_000, 2.2); // a good moment for all
    round(figure, 100, 2.1); // a bad one
    assertThat(verdict("Bucket4j: blocking, 10,000 keys, 8 callers")).isEqualTo("2.10× held");
  }

  @Test
  void a_target_is_missed_below_its_ratio() {
    round(figure(RedisScenario.hot(64)), 1_000, 19.9);
    assertThat(verdict("one hot key, 64 callers")).isEqualTo("19.90× missed");
    assertThat(verdict("one hot key, 8 callers")).isEqualTo(" not measured");
  }

  @Test
  void a_second_call_for_a_decision_ends_the_run() {
    RedisFigure figure = new RedisFigure(RedisScenario.hot(8));
    assertThatThrownBy(() -> figure.add(RedisContestant.STINT, tally(10), scripts(11, 11)))
        .hasMessage(
            "Stint must call Redis at most once per decision: in blocking/hot/8 it called 11 times for 10");
  }

  @Test
  void calls_and_server_time_are_per_decision() {
    RedisFigure figure = figure(RedisScenario.hot(8));
    round(figure, 1_000, 4);
    round(figure, 1_000, 4);
    assertThat(figure.scripts(RedisContestant.BUCKET4J)).isEqualTo(1);
    assertThat(figure.plainCalls(RedisContestant.BUCKET4J)).isEqualTo(1);
    assertThat(figure.serverMicros(RedisContestant.STINT)).isEqualTo(20);
  }

  @Test
  void the_report_has_a_table_for_what_was_measured_and_none_for_the_rest() {
    round(figure(RedisScenario.hot(1)), 1_000, 3);
    RedisReport report = new RedisReport(results);
    assertThat(report.markdown())
        .contains("## Targets", "blocking, one hot key, 1 caller ", "| 3.0 (3.0–3.0) |")
        .doesNotContain("## Bytes", "## redis-benchmark");
    assertThat(report.json()).contains("\"id\": \"blocking/hot/1/bucket4j\"");
  }

  @Test
  void a_whole_run_measures_every_target() {
    RedisScenario.all().forEach(scenario -> round(figure(scenario), 1_000, 3));
    RedisBytes.jobs()
        .forEach(job -> results.bytes().add(new RedisBytes(job.row(), job.keys(), 140, 80)));
    Spread spread = new Spread(30, 20, 40);
    results.logs().add(new RedisLogs(RedisLogs.SMALL, spread, spread));
    results.logs().add(new RedisLogs(RedisLogs.LARGE, spread, spread));
    assertThat(RedisTargets.of(results))
        .allSatisfy(target -> assertThat(target.measured()).as(target.name()).isPresent());
  }

  @Test
  void everything_that_is_measured_has_an_id_of_its_own() {
    List<String> ids =
        new ArrayList<>(RedisScenario.all().stream().map(RedisScenario::id).toList());
    RedisBytes.jobs().forEach(job -> ids.add(job.id()));
    assertThat(ids).doesNotHaveDuplicates();
  }

  @Test
  void a_field_of_info_is_found_by_its_whole_name() {
    String info = "# Memory\r\nused_memory_rss:7\r\nused_memory:42\r\nmem_allocator:libc\r\n";
    assertThat(RedisUnderTest.text(info, "used_memory")).isEqualTo("42");
    assertThatThrownBy(() -> RedisUnderTest.text(info, "used"))
        .hasMessageStartingWith("INFO must have the field used: ");
  }

  @Test
  void the_last_rate_that_redis_benchmark_says_is_the_final_one() {
    String said =
        "EVALSHA e0e1 1 user:hot: rps=0.0 (overall: 0.0)\r"
            + "EVALSHA e0e1 1 user:hot: 71428.57 requests per second, p50=0.487 msec\n";
    assertThat(RedisBenchmarkTool.rate(said)).isEqualTo(71428.57);
    assertThatThrownBy(() -> RedisBenchmarkTool.rate("Could not connect"))
        .hasMessage("redis-benchmark must say '… requests per second': Could not connect");
  }
}
