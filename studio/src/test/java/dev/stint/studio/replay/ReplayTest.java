package dev.stint.studio.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.memory.MemoryStore;
import dev.stint.studio.cli.ExitCode;
import dev.stint.studio.cli.Interruption;
import dev.stint.studio.cli.Terminal;
import dev.stint.studio.trial.Plan;
import dev.stint.studio.trial.VirtualTime;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.io.SequenceInputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.AutoComplete;
import picocli.CommandLine;

class ReplayTest {

  private static final long START = 1_767_225_600L;

  @TempDir private Path folder;

  private record Ran(int code, String out, String err) {}

  private static Ran run(Interruption interruption, byte[] standardInput, String... args) {
    return run(interruption, new ByteArrayInputStream(standardInput), args);
  }

  private static Ran run(Interruption interruption, InputStream standardInput, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    Replay replay = new Replay(Terminal.plain(), interruption, standardInput);
    int code =
        new CommandLine(replay)
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(args);
    return new Ran(code, out.toString(), err.toString());
  }

  private static Ran run(String... args) {
    return run(Interruption.none(), new byte[0], args);
  }

  /** Seconds and clients of a made-up log, in order. */
  private static int[][] traffic(int lines, int clients) {
    SplittableRandom random = new SplittableRandom(11);
    int[][] traffic = new int[lines][];
    for (int i = 0; i < lines; i++) {
      traffic[i] =
          new int[] {(int) (i * 600L / lines), (int) (clients * Math.pow(random.nextDouble(), 3))};
    }
    return traffic;
  }

  private Path log(int[][] traffic) throws IOException {
    StringBuilder text = new StringBuilder();
    for (int[] one : traffic) {
      text.append("{\"ts\":")
          .append(START + one[0])
          .append(",\"ip\":\"c")
          .append(one[1])
          .append("\"}\n");
    }
    return Files.writeString(folder.resolve("a.log"), text);
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
  void refuses_what_the_library_refuses(String algorithm) throws IOException {
    int[][] traffic = traffic(20_000, 500);
    Limit limit =
        Plan.of(List.of(Limit.parse("30/min")), List.of(algorithm)).get(0).limits().get(0);
    VirtualTime time = new VirtualTime(START * 1_000_000);
    long refused = 0;
    try (MemoryStore store = MemoryStore.builder().time(time).build()) {
      RateLimiter limiter = RateLimiter.of(store, limit);
      for (int[] one : traffic) {
        time.moveTo((START + one[0]) * 1_000_000);
        refused += limiter.hit("c" + one[1]).allowed() ? 0 : 1;
      }
    }
    Ran ran = run(log(traffic).toString(), "--limit", "30/min", "--algorithm", algorithm, "--json");
    assertThat(ran.code()).isEqualTo(ExitCode.FINE);
    assertThat(refused).isBetween(100L, 19_900L);
    assertThat(ran.out())
        .contains("\"refused\" : " + refused + ",")
        .contains("\"admitted\" : " + (20_000 - refused) + ",");
  }

  @Test
  void the_same_log_gives_the_same_output_on_any_number_of_threads() throws IOException {
    String file = log(traffic(200_000, 20_000)).toString();
    Ran first = run(file, "--limit", "30/min", "--algorithm", "all", "--json", "--threads", "1");
    Ran again = run(file, "--limit", "30/min", "--algorithm", "all", "--json", "--threads", "1");
    Ran others = run(file, "--limit", "30/min", "--algorithm", "all", "--json", "--threads", "3");
    assertThat(first.code()).isEqualTo(ExitCode.FINE);
    assertThat(again.out()).isEqualTo(first.out());
    assertThat(others.out()).isEqualTo(first.out());
  }

  @Test
  void says_what_it_recognised_before_anything_else() throws IOException {
    Ran ran = run(log(traffic(100, 5)).toString(), "--limit", "30/min");
    assertThat(ran.err())
        .startsWith("ndjson log format, from the first 20 lines; time in 'ts', clients by 'ip'");
    assertThat(ran.out()).contains("token-bucket");
  }

  @Test
  void a_log_that_cannot_be_read_ends_with_a_sentence_and_prints_nothing() {
    Ran ran = run(folder.toString(), "--limit", "30/min");
    assertThat(ran.code()).isEqualTo(ExitCode.UNREADABLE);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).contains("is a directory; name a file in it").doesNotContain("\tat ");
  }

  @Test
  void standard_input_is_read() {
    byte[] line = "{\"ts\":1767225600,\"ip\":\"a\"}\n".getBytes(StandardCharsets.UTF_8);
    Ran ran = run(Interruption.none(), line, "-", "--limit", "30/min", "--json");
    assertThat(ran.code()).isEqualTo(ExitCode.FINE);
    assertThat(ran.out()).contains("\"requests\" : 1,");
  }

  @Test
  void interrupted_it_prints_what_it_has() throws IOException {
    Interruption interruption = Interruption.none();
    interruption.now();
    Ran ran =
        run(interruption, new byte[0], log(traffic(100, 5)).toString(), "--limit", "3/s", "--json");
    assertThat(ran.code()).isEqualTo(ExitCode.INTERRUPTED);
    assertThat(ran.out()).contains("\"interrupted\" : true");
  }

  @Test
  void a_wrong_limit_or_algorithm_is_a_misuse() throws IOException {
    String file = log(traffic(10, 5)).toString();
    assertThat(run(file, "--limit", "many").code()).isEqualTo(ExitCode.MISUSED);
    assertThat(run(file, "--limit", "3/s", "--algorithm", "magic").code())
        .isEqualTo(ExitCode.MISUSED);
    assertThat(run(file).code()).isEqualTo(ExitCode.MISUSED);
  }

  @Test
  void requests_without_a_user_are_told_to_be_one_client() {
    String line = "192.0.2.1 - %s [01/Jan/2026:00:00:00 +0000] \"GET / HTTP/1.1\" 200 5\n";
    byte[] log = (line.formatted("-").repeat(3) + line.formatted("ann")).getBytes(UTF_8);
    Ran ran = run(Interruption.none(), log, "-", "--by", "user", "--limit", "2/min");
    assertThat(ran.out())
        .startsWith(
            "standard input (common, by user): 4 requests of 2 clients in less than a second")
        .contains("note: 3 requests have no user ('-') and count as one client");
  }

  @Test
  void the_time_is_named_only_where_it_has_no_place_of_its_own() {
    byte[] log =
        "192.0.2.1 - - [01/Jan/2026:00:00:00 +0000] \"GET / HTTP/1.1\" 200 5\n".getBytes(UTF_8);
    for (String[] format : new String[][] {{}, {"--format", "common"}}) {
      List<String> args = new ArrayList<>(List.of("-", "--limit", "2/min", "--time", "ts"));
      args.addAll(List.of(format));
      Ran ran = run(Interruption.none(), log, args.toArray(String[]::new));
      assertThat(ran.code()).isEqualTo(ExitCode.MISUSED);
      assertThat(ran.err()).startsWith("--time is for CSV and NDJSON only, and this is a log of");
    }
  }

  @Test
  void a_shell_is_offered_files_and_words() {
    CommandLine line = new CommandLine(new Replay(Terminal.plain(), Interruption.none()));
    String script = AutoComplete.bash("replay", line);
    assertThat(script).contains("sliding-counter", "nginx-json", "\"method\"", "compgen -f");
  }

  @Test
  void help_begins_with_an_example() {
    assertThat(run("--help").out()).startsWith("Example: stint replay access.log.gz --by ip");
  }

  @Test
  void the_list_of_commands_has_its_description() {
    Replay command = new Replay(Terminal.plain(), Interruption.none());
    String all =
        new CommandLine(picocli.CommandLine.Model.CommandSpec.create())
            .addSubcommand(command)
            .getUsageMessage();
    assertThat(all).contains("Sends ").doesNotContain("Example");
  }

  @Test
  void a_limit_that_no_log_can_hold_is_tried_without_being_measured_by_one() throws IOException {
    String log = log(traffic(2_000, 20)).toString();
    Ran ran = run(log, "--limit", "2000000/min", "--algorithm", "all");
    assertThat(ran.err()).doesNotContain("must");
    assertThat(ran.code()).isZero();
    assertThat(ran.out())
        .contains("note: there is no exact log of so large a limit")
        .contains("Nobody is refused")
        .doesNotContain("sliding-log");
  }

  @Test
  @Timeout(60)
  void an_interruption_while_more_is_awaited_tells_of_every_line_that_came() throws IOException {
    byte[] lines = Files.readAllBytes(log(traffic(100, 5)));
    Interruption interruption = Interruption.none();
    InputStream followed =
        new SequenceInputStream(new ByteArrayInputStream(lines), new Silence(interruption));
    Ran ran = run(interruption, followed, "-", "--limit", "10/min", "--json");
    assertThat(ran.code()).isEqualTo(ExitCode.INTERRUPTED);
    assertThat(ran.out()).contains("\"requests\" : 100,").contains("\"interrupted\" : true");
  }

  /** What a log that is followed has after its last line; whoever waits for more gives up. */
  private static final class Silence extends InputStream {

    private final Interruption interruption;

    private Silence(Interruption interruption) {
      this.interruption = interruption;
    }

    @Override
    public int read() throws IOException {
      try {
        interruption.now();
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        throw new InterruptedIOException();
      }
      return -1;
    }

    @Override
    public int read(byte[] b, int off, int len) throws IOException {
      return read();
    }
  }
}
