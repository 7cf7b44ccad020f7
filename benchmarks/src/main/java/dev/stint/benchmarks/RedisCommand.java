package dev.stint.benchmarks;

import io.lettuce.core.RedisException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures the Redis store beside its peers and reports. */
@Command(
    name = "redis",
    description = {
      "Measures Stint in Redis beside Bucket4j, Redisson and a script that does nothing: decisions"
          + " per second, calls per decision, memory per key.",
      "Starts a Redis of its own. Writes redis.md and redis.json, and prints the former. Leave the"
          + " machine alone meanwhile."
    })
final class RedisCommand implements Callable<Integer> {

  @Option(names = "--quick", description = "Fewer and shorter rounds: under 5 minutes.")
  private boolean quick;

  @Option(
      names = "--only",
      paramLabel = "<regex>",
      description = "Only what has a match of this in its id; see --list.")
  private Pattern only = Pattern.compile("");

  @Option(names = "--list", description = "Print the ids of what would be measured, and end.")
  private boolean list;

  @Option(
      names = "--out",
      paramLabel = "<dir>",
      description = "Where the results go. Default: ${DEFAULT-VALUE}.")
  private Path out = Path.of("bench-results");

  @Option(
      names = "--uri",
      paramLabel = "<redis://…>",
      description = "Use this Redis or Valkey, which must be empty: it is emptied several times.")
  private @Nullable String uri;

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it
  private CommandSpec spec;

  private final PrintStream terminal = System.out;
  private final long begin = System.nanoTime();

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<RedisScenario> scenarios =
        RedisScenario.all().stream().filter(one -> chosen(one.id())).toList();
    List<RedisBytes.Job> jobs = RedisBytes.jobs().stream().filter(one -> chosen(one.id())).toList();
    if (list) {
      ids().stream().filter(this::chosen).forEach(terminal::println);
      return 0;
    }
    // The native transport is here for the service. Lettuce would take it unasked, Redisson not.
    System.setProperty("io.lettuce.core.epoll", "false");
    RedisRace.Pace pace = quick ? RedisRace.Pace.QUICK : RedisRace.Pace.FULL;
    Environment environment =
        Environment.here(quick, pace.toString(), "G1, heap of the JVM's choice");
    try (RedisUnderTest redis = open()) {
      environment.facts().put("server", redis.description());
      RedisResults results = new RedisResults(environment);
      race(redis, pace, scenarios, results.figures());
      if (chosen(RedisLogs.ID)) {
        progress(RedisLogs.ID);
        results.logs().addAll(RedisLogs.run(redis, pace));
      }
      for (RedisBytes.Job job : jobs) {
        progress(job.id());
        results.bytes().add(job.run(redis));
      }
      Optional<Path> tool = RedisBenchmarkTool.find();
      if (tool.isPresent() && chosen(RedisBenchmarkTool.ID)) {
        progress(RedisBenchmarkTool.ID);
        for (int connections : new int[] {1, 8, 64}) {
          results.tool().add(RedisBenchmarkTool.run(tool.get(), redis.uri(), connections));
        }
      }
      write(new RedisReport(results));
    }
    return 0;
  }

  private RedisUnderTest open() {
    if (uri == null) {
      return RedisUnderTest.start();
    }
    try {
      return RedisUnderTest.at(uri);
    } catch (IllegalArgumentException | RedisException e) {
      throw new ParameterException(spec.commandLine(), "--uri: " + e.getMessage(), e);
    }
  }

  private static List<String> ids() {
    List<String> ids = new ArrayList<>();
    RedisScenario.all().forEach(one -> ids.add(one.id()));
    ids.add(RedisLogs.ID);
    RedisBytes.jobs().forEach(one -> ids.add(one.id()));
    if (RedisBenchmarkTool.find().isPresent()) {
      ids.add(RedisBenchmarkTool.ID);
    }
    return ids;
  }

  private boolean chosen(String id) {
    return only.matcher(id).find();
  }

  private void race(
      RedisUnderTest redis,
      RedisRace.Pace pace,
      List<RedisScenario> scenarios,
      List<RedisFigure> figures)
      throws InterruptedException {
    RedisRace race = new RedisRace(redis, pace);
    if (!scenarios.isEmpty()) {
      progress("warming up");
      race.warmUp();
    }
    for (RedisScenario scenario : scenarios) {
      RedisFigure figure = race.run(scenario);
      RedisRace.tell(figure, this::progress);
      figures.add(figure);
    }
  }

  private void progress(String what) {
    long seconds = (System.nanoTime() - begin) / 1_000_000_000;
    terminal.printf(Locale.ROOT, "%4d s  %s%n", seconds, what);
  }

  private void write(RedisReport report) throws IOException {
    Files.createDirectories(out);
    Files.writeString(out.resolve("redis.md"), report.markdown());
    Files.writeString(out.resolve("redis.json"), report.json());
    terminal.println();
    terminal.println(report.markdown());
    terminal.println("Written: " + out.resolve("redis.md") + ", " + out.resolve("redis.json"));
  }
}
