package dev.stint.studio.recommend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.memory.MemoryStore;
import dev.stint.studio.cli.ExitCode;
import dev.stint.studio.cli.Interruption;
import dev.stint.studio.cli.Progress;
import dev.stint.studio.cli.Span;
import dev.stint.studio.cli.Terminal;
import dev.stint.studio.findings.Findings;
import dev.stint.studio.log.Unreadable;
import dev.stint.studio.trial.VirtualTime;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class RecommendTest {

  private static final long START = 1_699_999_200_000_000L; // a full hour;
  private static final long HOUR = 60 * Span.MINUTE;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int recommend(Log log, String... args) {
    out.getBuffer().setLength(0);
    return new CommandLine(
            new Recommend(Terminal.plain(), Interruption.none(), (options, interruption) -> log))
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(Stream.concat(Stream.of("made.log"), Stream.of(args)).toArray(String[]::new));
  }

  private static Findings find(Log log, String share, String algorithm) throws Unreadable {
    PrintWriter nowhere = new PrintWriter(new StringWriter());
    Interruption interruption = Interruption.none();
    return new Recommendation(
            log,
            new BigDecimal(share),
            algorithm,
            interruption,
            () -> new Progress(nowhere, 0, "lines"))
        .find("api", sentence -> {});
  }

  /** Two hours of people who look at some pages a minute, and of machines that never stop. */
  private static MadeLog log(int people, int machines) {
    SplittableRandom random = new SplittableRandom(7);
    MadeLog log = new MadeLog();
    for (int i = 0; i < people; i++) {
      long micros = START + random.nextLong(HOUR);
      for (int page = random.nextInt(1, 15); page > 0; page--) {
        log.add(micros, "person-" + i, 1);
        micros += random.nextLong(40 * Span.SECOND);
      }
    }
    for (int i = 0; i < machines; i++) {
      long every = random.nextLong(Span.SECOND, 3 * Span.SECOND);
      for (long micros = START + i; micros < START + 2 * HOUR; micros += every) {
        log.add(micros, "machine-" + i, 1);
      }
    }
    return log;
  }

  @Test
  void prices_are_what_a_limiter_of_the_library_refuses() throws Unreadable {
    MadeLog log = log(1_990, 10);
    Findings findings = find(log, "99.5", "sliding-counter");
    assertThat(findings.proposals()).hasSize(4);
    for (Findings.Proposal proposal : findings.proposals()) {
      Refused refused = refused(log, List.of(Limit.parse(proposal.limit())));
      assertThat(proposal.keysRefused()).isEqualTo(refused.clients.size());
      assertThat(proposal.refused()).isEqualTo(refused.requests);
      assertThat(proposal.share()).isEqualTo(1 - refused.clients.size() / 2_000.0);
      long theirs =
          log.requests().stream().filter(one -> refused.clients.contains(one.client())).count();
      assertThat(proposal.shareOfRequests()).isEqualTo((double) theirs / log.requests().size());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fixed-window",
        "fixed-window-per-key",
        "sliding-log",
        "sliding-counter",
        "token-bucket",
        "leaky-bucket"
      })
  void enough_clients_never_notice_and_more_use_the_next_lower_round_amount(String algorithm)
      throws Unreadable {
    MadeLog log = log(995, 5);
    for (Findings.Proposal proposal : find(log, "99.5", algorithm).proposals()) {
      assertThat(proposal.keysRefused()).isLessThanOrEqualTo(5);
      Limit limit = Limit.parse(proposal.limit());
      assertThat(limit.kind().word()).isEqualTo(algorithm);
      if (limit.amount() > 1) {
        Limit lower = Limit.parse(proposal.limit().replaceFirst("\\d+", "" + below(limit)));
        Limit onTheClock = Limit.fixedWindow(lower.amount(), lower.window());
        assertThat(
                Math.max(
                    refused(log, List.of(lower)).clients.size(),
                    refused(log, List.of(onTheClock)).clients.size()))
            .isGreaterThan(5);
      }
    }
  }

  private static long below(Limit limit) {
    long below = 1;
    while (NiceNumber.from(below + 1) < limit.amount()) {
      below = NiceNumber.from(below + 1);
    }
    return below;
  }

  private record Refused(Set<String> clients, long requests) {}

  private static Refused refused(MadeLog log, List<Limit> limits) {
    VirtualTime time = new VirtualTime(START);
    Set<String> clients = new HashSet<>();
    long requests = 0;
    try (MemoryStore store = MemoryStore.builder().time(time).build()) {
      RateLimiter limiter = RateLimiter.of(store, limits.toArray(Limit[]::new));
      for (MadeLog.Request one : log.requests()) {
        time.moveTo(one.micros());
        if (!limiter.hit(one.client(), one.cost()).allowed()) {
          clients.add(one.client());
          requests++;
        }
      }
    }
    return new Refused(clients, requests);
  }

  @Test
  void the_policy_does_together_what_its_lane_says() throws Unreadable {
    MadeLog log = log(1_990, 10);
    Findings findings = find(log, "99.5", "sliding-counter");
    Findings.Lane lane = findings.lanes().get(0);
    List<Limit> limits = lane.limits().stream().map(Limit::parse).toList();
    Refused refused = refused(log, limits);
    assertThat(limits).hasSize(2);
    assertThat(lane.refused()).isEqualTo(refused.requests);
    assertThat(lane.keysRefused()).isEqualTo(refused.clients.size());
    assertThat(lane.offenders()).allMatch(one -> one.key().startsWith("machine-"));
    lane.limits().forEach(limit -> assertThat(findings.yaml()).contains("- " + limit + "\n"));
    assertThat(findings.yaml()).contains("  api:\n", "mode: shadow");
    long theirs =
        log.requests().stream().filter(one -> refused.clients.contains(one.client())).count();
    assertThat(findings.verdict())
        .isEqualTo(
            "Take "
                + String.join(" together with ", lane.limits())
                + ": 99.5 % of clients never notice; refuses 10 keys that make "
                + Percent.whole(theirs, log.requests().size())
                + " of requests.");
  }

  @Test
  void it_is_read_a_few_times_only() throws Unreadable {
    MadeLog log = log(1_990, 10);
    Findings unused = find(log, "99.5", "sliding-counter");
    assertThat(log.readings()).isBetween(4, 6);
  }

  @Test
  void bursts_across_the_edge_of_a_span_raise_the_amount() throws Unreadable {
    MadeLog log = new MadeLog();
    for (int i = 0; i < 100; i++) {
      long edge = START + (1 + i) * Span.MINUTE;
      for (int hit = 0; hit < 10; hit++) {
        log.add(edge - Span.SECOND, "client-" + i, 1).add(edge + Span.SECOND, "client-" + i, 1);
      }
    }
    assertThat(find(log, "100", "sliding-log").proposals())
        .extracting(Findings.Proposal::limit)
        .contains("20/minute sliding-log");
    assertThat(find(log, "100", "fixed-window").proposals())
        .extracting(Findings.Proposal::limit)
        .contains("10/minute fixed-window");
  }

  @Test
  void costs_are_counted_and_not_requests() throws Unreadable {
    MadeLog log = new MadeLog();
    for (int i = 0; i < 100; i++) {
      log.add(START + i * 2L * Span.MINUTE, "client-" + i, 50);
    }
    assertThat(find(log, "100", "sliding-counter").proposals())
        .extracting(Findings.Proposal::limit)
        .containsExactly(
            "50/second sliding-counter",
            "50 per 10 seconds sliding-counter",
            "50/minute sliding-counter",
            "50/hour sliding-counter");
  }

  @Test
  void where_nobody_stands_out_nobody_is_refused() throws Unreadable {
    MadeLog log = new MadeLog();
    for (int i = 0; i < 500; i++) {
      log.add(START + i * Span.MINUTE, "client-" + i, 1);
    }
    Findings findings = find(log, "99.9", "sliding-counter");
    assertThat(findings.proposals())
        .allMatch(one -> one.price().equals("100 % of clients never notice; refuses nobody"));
    assertThat(findings.verdict())
        .isEqualTo(
            "Take 1/hour sliding-counter: it refuses nobody here, for no client stands out from the"
                + " others.");
  }

  @Test
  void a_share_that_means_everybody_is_told_and_a_lower_one_suggested() throws Unreadable {
    assertThat(find(log(57, 3), "99.9", "sliding-counter").verdict())
        .startsWith("Take ")
        .endsWith(
            ": it refuses nobody here, for 99.9 % of 60 clients is all of them, so the busiest set"
                + " the limits; try --share 95 to leave some out.");
    assertThat(find(log(2, 1), "100", "sliding-counter").verdict())
        .endsWith("for 100 % of 3 clients is all of them, so the busiest set the limits.");
  }

  @Test
  void nobody_is_said_to_stand_out_only_where_nobody_does() throws Unreadable {
    MadeLog log = new MadeLog();
    for (int i = 0; i < 200; i++) {
      // Three that use nine times as much as others, and are still below the round amount.
      for (int hit = 0; hit < (i < 3 ? 9 : 1); hit++) {
        log.add(START + i * Span.MINUTE + hit, "client-" + i, 1);
      }
    }
    assertThat(find(log, "99", "fixed-window").verdict())
        .isEqualTo("Take 10/hour fixed-window: it refuses nobody here.");
  }

  @Test
  void a_limit_that_is_raised_beside_another_is_told() throws Unreadable {
    MadeLog log = new MadeLog();
    for (int minute = 0; minute < 60; minute++) {
      for (int i = 0; i < 98 && minute < 30; i++) {
        log.add(START + minute * Span.MINUTE, "client-" + i, 1);
      }
      log.add(START + minute * Span.MINUTE, "lasting", 1);
    }
    for (int hit = 0; hit < 20; hit++) {
      log.add(START, "sudden", 1);
    }
    assertThat(find(log, "99", "sliding-log").source().notes())
        .contains(
            "1 per 10 seconds sliding-log keeps the share alone but not together with 30/hour"
                + " sliding-log; so 20 per 10 seconds sliding-log is taken");
  }

  @Test
  void too_little_is_said_plainly() throws Unreadable {
    MadeLog log = new MadeLog();
    for (int i = 0; i < 40; i++) {
      log.add(START + i * 30L * Span.SECOND, "client-" + i, 1);
    }
    assertThat(find(log, "99.9", "sliding-counter").source().notes())
        .containsExactly(
            "99.9 % of 40 clients are all of them, so the busiest one alone decides; this share"
                + " needs 1,000 clients or more, for fewer take a lower --share",
            "the log covers 19 min 30 s, too little to propose a limit over 1 h",
            "the log covers 19 min 30 s; what happens at other times of day is not in it");
  }

  @Test
  void one_request_is_too_little_for_anything() throws Unreadable {
    Findings findings = find(new MadeLog().add(START, "a", 1), "99.9", "sliding-counter");
    assertThat(findings.proposals()).isEmpty();
    assertThat(findings.yaml()).isEmpty();
    assertThat(findings.verdict())
        .isEqualTo(
            "The log covers less than a second, too little to propose a limit: give one of a day or"
                + " more.");
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "2, 0", "4, 4"})
  void who_interrupts_gets_what_there_is(int readings, int proposals) {
    MadeLog log = log(1_990, 10).stopAfter(readings);
    assertThat(recommend(log, "--share", "99.5", "--json")).isEqualTo(ExitCode.INTERRUPTED);
    assertThat(out.toString()).contains("\"interrupted\" : true");
    assertThat(out.toString().split("\"price\"", -1)).hasSize(1 + proposals);
  }

  @Test
  void a_log_that_shrinks_meanwhile_is_told() {
    assertThat(recommend(log(100, 1).shrinkAfter(1))).isEqualTo(ExitCode.UNREADABLE);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString())
        .contains("recommend: the log must stay as it is while it is read, and it had")
        .contains("make a copy and read that");
  }

  @Test
  void the_same_log_gives_the_same_text() {
    assertThat(recommend(log(995, 5), "--share", "99.5")).isZero();
    String first = out.toString();
    assertThat(recommend(log(995, 5), "--share", "99.5")).isZero();
    assertThat(out.toString()).isEqualTo(first).contains("busiest span", "p99.9", "mode: shadow");
    assertThat(first.lines()).allMatch(line -> line.length() <= 80);
    assertThat(err.toString()).contains("made up");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--share | 0 | --share must be more than 0 and at most 100, such as 99.9: 0",
        "--share | abc | --share must be more than 0 and at most 100, such as 99.9: abc",
        "--share | 100.1 | --share must be more than 0 and at most 100, such as 99.9: 100.1",
        "--algorithm | all | --algorithm must be one of fixed-window, fixed-window-per-key,"
            + " sliding-log, sliding-counter, token-bucket, leaky-bucket: 'all'",
        "--algorithm | sliding-lag | leaky-bucket: 'sliding-lag'; did you mean 'sliding-log'?",
        "--policy | a b | --policy: the name of a policy must be 1 to 64 of",
      })
  void what_is_wrong_with_an_option_is_a_sentence(String option, String value, String sentence) {
    assertThat(recommend(new MadeLog(), option, value)).isEqualTo(ExitCode.MISUSED);
    assertThat(err.toString()).contains(sentence);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void help_starts_with_an_example() {
    assertThat(recommend(new MadeLog(), "--help")).isZero();
    assertThat(out.toString())
        .startsWith("Example: stint recommend access.log.gz --by ip\n")
        .contains("--share", "99.9", "--algorithm", "sliding-counter", "--policy", "--html");
  }

  @Test
  void an_amount_that_no_sliding_log_can_hold_is_told_in_a_sentence() {
    MadeLog log = new MadeLog();
    for (int i = 0; i < 100; i++) {
      log.add(START + i * Span.SECOND / 4, "a", 900_000);
    }
    assertThat(recommend(log, "--algorithm", "sliding-log")).isEqualTo(ExitCode.MISUSED);
    assertThat(err.toString())
        .contains("a sliding log holds at most 1000000 hits")
        .doesNotContain("\tat ");
  }

  @Test
  void nobody_is_said_to_be_admitted_whose_use_is_beyond_counting() throws Unreadable {
    MadeLog log = new MadeLog();
    for (int i = 0; i < 400; i++) {
      log.add(START + i * Span.SECOND / 10, "a", 1_000_000_000);
    }
    for (Findings.Proposal proposal : find(log, "100", "sliding-counter").proposals()) {
      assertThat(refused(log, List.of(Limit.parse(proposal.limit()))).clients)
          .as(proposal.limit())
          .isEmpty();
    }
  }

  @Test
  @Timeout(60)
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void a_pipe_is_read_once_and_kept(@TempDir Path folder) throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Path log = folder.resolve("log");
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 500; i++) {
      lines.append("{\"ts\":%d,\"ip\":\"c%d\"}\n".formatted(1_767_225_600 + i, i % 7));
    }
    Files.writeString(log, lines);
    Process writer =
        new ProcessBuilder("cp", log.toString(), pipe.toString()).redirectErrorStream(true).start();
    int code =
        new CommandLine(new Recommend(Terminal.plain(), Interruption.none()))
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(pipe.toString(), "--share", "100");
    assertThat(writer.waitFor()).isZero();
    assertThat(code).as(err.toString()).isZero();
    assertThat(out.toString()).contains("500 requests of 7 clients").contains("policies:");
  }
}
