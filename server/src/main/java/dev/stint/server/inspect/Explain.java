package dev.stint.server.inspect;

import dev.stint.studio.cli.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stint explain}: why a running service answers a key as it does. */
@Command(
    name = "explain",
    header = {"Example: stint explain login alice", ""},
    description =
        "Says which rule of a running service a key is under, what it would be answered now, when"
            + " it is free again and why. Nothing is counted.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:it is explained, whatever the answer would be",
      "1:the service cannot be asked, or does not know the policy",
      "2:it was called wrongly"
    })
public final class Explain implements Callable<Integer> {

  private final Clock clock;

  @Mixin private final AdminOptions options;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "POLICY",
      description = "A policy of the service.")
  private @Nullable String policy;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "KEY",
      description = "A key, as it is sent to the service.")
  private @Nullable String key;

  @Option(
      names = "--cost",
      paramLabel = "N",
      defaultValue = "1",
      description = "The units that the request would take (default: ${DEFAULT-VALUE}).")
  private long cost = 1;

  @Option(
      names = "--domain",
      paramLabel = "DOMAIN",
      description = "A domain of Envoy's rate limit service, in place of a policy.")
  private @Nullable String domain;

  @Option(
      names = "--descriptor",
      paramLabel = "KEY=VALUE,…",
      description = "The entries of its descriptor, in place of a key.")
  private @Nullable String descriptor;

  @Option(
      names = "--json",
      description = "Print JSON (docs/schemas/explain.json) in place of text.")
  private boolean json;

  /** A command that may find its token in this environment. */
  public Explain(Map<String, String> environment) {
    this(environment, Clock.system(ZoneId.systemDefault()));
  }

  Explain(Map<String, String> environment, Clock clock) {
    this.options = new AdminOptions(environment);
    this.clock = clock;
  }

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    String path = "/explain" + AdminPort.query(asked());
    try {
      AdminPort port = options.port(spec.commandLine());
      String answer = port.get(path);
      Tree told = explanation(port, answer);
      if (json) {
        out.print(answer);
      } else {
        new ExplainText(out, clock).print(told);
      }
      return ExitCode.FINE;
    } catch (Trouble e) {
      spec.commandLine().getErr().println("stint explain: " + e.getMessage());
      return ExitCode.FAILED;
    }
  }

  private static Tree explanation(AdminPort port, String answer) throws Trouble {
    try {
      Tree told = Tree.of(answer);
      if (told.has("why")) {
        return told;
      }
    } catch (IOException e) {
      throw port.stranger("no JSON");
    }
    throw port.stranger("something else");
  }

  private Map<String, String> asked() {
    Map<String, String> asked = new LinkedHashMap<>();
    if (domain != null && descriptor != null && policy == null) {
      asked.put("domain", domain);
      asked.put("descriptor", descriptor);
    } else if (domain == null && descriptor == null && policy != null && key != null) {
      asked.put("policy", policy);
      asked.put("key", key);
    } else {
      throw new ParameterException(
          spec.commandLine(),
          "either POLICY and KEY must be given, or --domain and --descriptor, such as: stint"
              + " explain login alice");
    }
    if (cost < 1) {
      throw new ParameterException(spec.commandLine(), "--cost must be at least 1: " + cost);
    }
    asked.put("cost", Long.toString(cost));
    return asked;
  }
}
