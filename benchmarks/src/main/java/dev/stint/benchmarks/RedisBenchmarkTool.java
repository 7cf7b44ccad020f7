package dev.stint.benchmarks;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What Redis's own load generator gets of the trivial script, for comparison.
 *
 * @param connections how many, each with one call under way
 */
record RedisBenchmarkTool(int connections, double perSecond) {

  static final String ID = "redis-benchmark";

  private static final Pattern RATE = Pattern.compile("([0-9.]+) requests per second");
  private static final int CALLS = 50_000;

  /** Where it is, if it is on the PATH. */
  static Optional<Path> find() {
    String path = System.getenv("PATH");
    for (String folder : path == null ? new String[0] : path.split(File.pathSeparator)) {
      Path program = Path.of(folder, "redis-benchmark");
      if (Files.isExecutable(program)) {
        return Optional.of(program);
      }
    }
    return Optional.empty();
  }

  static RedisBenchmarkTool run(Path program, String uri, int connections)
      throws IOException, InterruptedException {
    try (TrivialScript script = new TrivialScript(uri, true)) {
      List<String> command =
          List.of(
              program.toString(),
              "-u",
              uri,
              "-q",
              "-n",
              Integer.toString(CALLS),
              "-c",
              Integer.toString(connections),
              "EVALSHA",
              script.digest(),
              "1",
              "user:hot");
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IllegalStateException("%s must run: %s".formatted(program, said));
      }
      return new RedisBenchmarkTool(connections, rate(said));
    }
  }

  /** The last rate it says, which is the final one. */
  static double rate(String said) {
    Matcher rates = RATE.matcher(said);
    double last = Double.NaN;
    while (rates.find()) {
      last = Double.parseDouble(rates.group(1));
    }
    if (Double.isNaN(last)) {
      throw new IllegalArgumentException(
          "redis-benchmark must say '… requests per second': " + said);
    }
    return last;
  }
}
