package dev.stint.server.serve;

import dev.stint.server.config.Bounds;
import dev.stint.server.config.ConfigFile;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.Listener;
import dev.stint.server.config.Listeners;
import dev.stint.server.config.PolicySettings;
import dev.stint.server.config.Reading;
import dev.stint.server.config.Telemetry;
import dev.stint.server.net.MemoryPlan;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code stint serve}: runs the service until the process is told to end. */
@Command(
    name = "serve",
    headerHeading =
        "Example: stint serve, and then: curl \"localhost:8080/check?userId=alice\"%n%n",
    description = "Answers whether a request may pass, over HTTP, gRPC and Redis' protocol.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "PORT is a number (0 for any free port), ADDRESS:NUMBER, or off.",
      "Each option can also be a variable: STINT_CONFIG, STINT_HTTP and so on."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:it was told to end, and has",
      "1:it could not start",
      "2:it was called wrongly"
    })
public final class Serve implements Callable<Integer> {

  private static final Duration LOOK = Duration.ofSeconds(1);

  private final Map<String, String> environment;
  private final Path directory;

  @Mixin private final ServeOptions options;

  @Spec private CommandSpec spec = CommandSpec.create();

  /** A service with settings from this environment, started in this directory. */
  public Serve(Map<String, String> environment, Path directory) {
    this.environment = environment;
    this.directory = directory;
    this.options = new ServeOptions(environment);
  }

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    Reading reading = CertificateCheck.of(read());
    reading.mistakes().forEach(err::println);
    if (!reading.isGood()) {
      return 1;
    }
    refuse(reading.configuration().listeners().troubles());
    Telemetry telemetry = reading.configuration().telemetry();
    Logs logs = new Logs(err, telemetry.jsonLogs(), telemetry.stackTraces());
    logs.install();
    Running running = start(reading, err);
    if (running == null) {
      return 1;
    }
    Bounds bounds = reading.configuration().bounds();
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> stop(running, bounds, logs), "stint-stop"));
    tell(reading.configuration(), running.service);
    new CountDownLatch(1).await(); // the hook ends the process
    return 0;
  }

  /** The service and who watches its files. */
  private record Running(Service service, Reloader reloader) {}

  private @Nullable Path path() {
    if (options.config().isPresent()) {
      return options.config().get();
    }
    return Files.exists(here()) ? here() : null;
  }

  private Path here() {
    return directory.resolve(ConfigFile.NAME);
  }

  /** The file with what the command line says; without a file, which may yet come, the standard. */
  private Reading read() {
    try {
      Path path = path();
      Reading reading =
          path == null
              ? new Reading(
                  here(),
                  Configuration.standard().withBounds(Bounds.in(environment)),
                  List.of(),
                  Set.of(here()),
                  Set.of())
              : ConfigFile.read(path, environment);
      return reading.with(options.apply(reading.configuration()));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private void refuse(List<Listeners.Trouble> troubles) {
    if (!troubles.isEmpty()) {
      throw new ParameterException(spec.commandLine(), troubles.get(0).sentence());
    }
  }

  private @Nullable Running start(Reading reading, PrintWriter err) {
    Listeners listeners = reading.configuration().listeners();
    List<String> troubles = new ArrayList<>(PortCheck.unknownHosts(listeners));
    MemoryPlan.trouble(reading.configuration().store()).ifPresent(troubles::add);
    Service service = null;
    if (troubles.isEmpty()) {
      try {
        service = Service.start(reading.configuration());
      } catch (RuntimeException e) {
        troubles = PortCheck.of(listeners);
        if (troubles.isEmpty()) {
          troubles = List.of("the service cannot start: " + e.getMessage());
        }
      }
    }
    if (service == null) {
      troubles.forEach(trouble -> err.println("stint serve: " + trouble));
      return null;
    }
    Reloader reloader = new Reloader(reading, this::read, service);
    reloader.log().show(service.metrics());
    return new Running(service, reloader.every(LOOK));
  }

  private static void stop(Running running, Bounds bounds, Logs logs) {
    int code = 0;
    boolean canBeHurried = SecondSignal.endsTheProcess();
    logs.line(stopping(bounds, canBeHurried));
    try {
      running.reloader.close();
      running.service.close();
      logs.line("stopped");
    } catch (RuntimeException e) {
      logs.line("stopped with an error: " + e.getMessage());
      code = 1;
    }
    // A process that ends because it was told to has not failed; the JVM would exit with 143.
    Runtime.getRuntime().halt(code);
  }

  private static String stopping(Bounds bounds, boolean canBeHurried) {
    Duration delay = bounds.shutdownDelay();
    return "stopping: "
        + (delay.isZero() ? "" : "not ready, but answering for " + seconds(delay) + "; then ")
        + "no new connections, requests that were read are answered within "
        + seconds(bounds.drain())
        + (canBeHurried ? " (a second signal stops at once)" : "");
  }

  private static String seconds(Duration time) {
    return time.toMillis() % 1000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
  }

  private void tell(Configuration configuration, Service service) {
    PrintWriter out = spec.commandLine().getOut();
    Path path = path();
    out.println(
        "configuration  "
            + (path == null
                ? "standard; --config FILE for another"
                : path + (options.config().isEmpty() ? ", found here" : "")));
    Listeners listeners = configuration.listeners();
    tell("http", listeners.http(), service.httpPort());
    tell("grpc", listeners.grpc(), service.grpcPort());
    tell("resp", listeners.resp(), service.respPort());
    tell("admin", listeners.admin(), service.adminPort());
    if (listeners.metrics().isOn()) {
      tell("metrics", listeners.metrics(), service.metricsPort());
    }
    if (listeners.admin().isOn()) {
      out.println("dashboard      " + dashboard(listeners.admin(), service.adminPort()));
    }
    out.println("store          " + configuration.store());
    configuration.policies().forEach(this::tell);
    configuration
        .rls()
        .domains()
        .keySet()
        .forEach(domain -> out.println("domain         " + domain));
    out.println("ready");
    out.flush();
  }

  /** Its address for a browser on this machine, if the port can be reached from it. */
  private static String dashboard(Listener admin, int port) {
    String host = admin.host();
    boolean isAny = host.equals("0.0.0.0") || host.equals("::");
    String shown = isAny ? "127.0.0.1" : host.contains(":") ? "[" + host + "]" : host;
    return (admin.tls() == null ? "http://" : "https://") + shown + ":" + port;
  }

  private void tell(String wire, Listener listener, int port) {
    String host = listener.host().equals("0.0.0.0") ? "" : listener.host() + ":";
    spec.commandLine().getOut().printf("%-14s %s%n", wire, listener.isOn() ? host + port : "off");
  }

  private void tell(String name, PolicySettings policy) {
    spec.commandLine()
        .getOut()
        .printf(
            "%-14s %s: %s%s%n",
            "policy",
            name,
            policy.limits().stream().map(Object::toString).collect(Collectors.joining("; ")),
            policy.shadow() ? " (shadow)" : "");
  }
}
