package dev.stint.server.serve;

import dev.stint.server.config.ConfigFile;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.Mistake;
import dev.stint.server.config.Reading;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stint check}: says what is wrong with a configuration, without starting anything. */
@Command(
    name = "check",
    headerHeading = "Example: stint check stint.yaml%n%n",
    description = "Says what is wrong with a configuration, without starting.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:all files are good", "1:at least one is not", "2:it was called wrongly"})
public final class Check implements Callable<Integer> {

  private final Map<String, String> environment;
  private final Path directory;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description =
          "stint.yaml, a directory that has it, or files of Envoy's rate limit format (default: what"
              + " serve would take, STINT_CONFIG or ./stint.yaml).")
  private List<Path> files = List.of();

  @Option(names = "--json", description = "Print JSON (docs/schemas/check.json) in place of text.")
  private boolean json;

  /** A check with secrets from this environment, started in this directory. */
  public Check(Map<String, String> environment, Path directory) {
    this.environment = environment;
    this.directory = directory;
  }

  @Override
  public Integer call() {
    if (files.isEmpty()) {
      files = List.of(usual());
    }
    if (json) {
      return tellAsJson();
    }
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    int code = 0;
    for (Path file : files) {
      Reading reading = read(file);
      CertificateCheck.warnings(reading).forEach(warning -> err.println(file + ": " + warning));
      for (Mistake mistake : reading.mistakes()) {
        err.println(mistake);
        code = 1;
      }
      if (reading.isGood()) {
        out.println(
            file
                + ": ok: "
                + (reading.isEmpty() ? "empty, so the standard: " : "")
                + summary(reading));
      }
    }
    return code;
  }

  private Reading read(Path file) {
    return CertificateCheck.of(ConfigFile.read(file, environment));
  }

  private Path usual() {
    String named = environment.getOrDefault("STINT_CONFIG", "");
    Path file = directory.resolve(named.isEmpty() ? ConfigFile.NAME : named);
    if (named.isEmpty() && !Files.exists(file)) {
      throw new ParameterException(
          spec.commandLine(),
          "FILE must be given where there is no ./stint.yaml, such as: stint check"
              + " config/stint.yaml");
    }
    return file;
  }

  private int tellAsJson() {
    Map<Path, Reading> readings = new LinkedHashMap<>();
    files.forEach(file -> readings.put(file, read(file)));
    PrintWriter out = spec.commandLine().getOut();
    out.print(CheckJson.of(readings));
    out.flush();
    return readings.values().stream().allMatch(Reading::isGood) ? 0 : 1;
  }

  private static String summary(Reading reading) {
    Configuration configuration = reading.configuration();
    return count(configuration.policies().size(), "policy", "policies")
        + ", "
        + count(configuration.rls().domains().size(), "domain", "domains")
        + ", store "
        + configuration.store();
  }

  private static String count(int n, String one, String many) {
    return n + " " + (n == 1 ? one : many);
  }
}
