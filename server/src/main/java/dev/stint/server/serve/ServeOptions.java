package dev.stint.server.serve;

import dev.stint.server.config.Configuration;
import dev.stint.server.config.Listener;
import dev.stint.server.config.ListenerText;
import dev.stint.server.config.Listeners;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code stint serve}. Each can also be a variable such as {@code STINT_HTTP}. */
final class ServeOptions {

  private static final String WHERE = "PORT";

  @Option(
      names = "--config",
      paramLabel = "FILE|DIR",
      description = "The configuration (default: ./stint.yaml if there is one).")
  private @Nullable String config;

  @Option(
      names = "--http",
      paramLabel = WHERE,
      description = "HTTP (default: 8080); 0 for any free port, as for those below.")
  private @Nullable String http;

  @Option(names = "--grpc", paramLabel = WHERE, description = "Envoy's gRPC (default: 8081).")
  private @Nullable String grpc;

  @Option(names = "--resp", paramLabel = WHERE, description = "Redis' protocol (default: 6380).")
  private @Nullable String resp;

  @Option(
      names = "--admin",
      paramLabel = WHERE,
      description = "The dashboard, metrics and health (default: 127.0.0.1:9090).")
  private @Nullable String admin;

  @Option(
      names = "--metrics",
      paramLabel = WHERE,
      description = "Metrics and health alone, without administration (default: off).")
  private @Nullable String metrics;

  @Option(
      names = "--store",
      paramLabel = "URL",
      description = "memory, redis://…, redis-cluster://… or redis-sentinel://… (default: memory).")
  private @Nullable String store;

  @Option(
      names = "--logs",
      paramLabel = "plain|json",
      description = "How the log is written (default: plain).")
  private @Nullable String logs;

  private final Map<String, String> environment;

  ServeOptions(Map<String, String> environment) {
    this.environment = environment;
  }

  /**
   * Where the configuration is, if that was said.
   *
   * @throws IllegalArgumentException with a whole sentence
   */
  Optional<Path> config() {
    return apply("config", config, Optional.empty(), text -> Optional.of(path(text)));
  }

  private static Path path(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) { // such as a letter that the locale does not have
      throw new IllegalArgumentException("must be the path of a file: " + e.getMessage(), e);
    }
  }

  /**
   * A configuration with what was said here in place of what it says.
   *
   * @throws IllegalArgumentException with a whole sentence
   */
  Configuration apply(Configuration file) {
    Listeners on = file.listeners();
    Listeners listeners =
        new Listeners(
            listener("http", http, on.http()),
            listener("grpc", grpc, on.grpc()),
            listener("resp", resp, on.resp()),
            listener("admin", admin, on.admin()),
            listener("metrics", metrics, on.metrics()));
    return file.withListeners(listeners)
        .withStore(apply("store", store, file.store(), file.store()::url))
        .withTelemetry(apply("logs", logs, file.telemetry(), file.telemetry()::logs));
  }

  private Listener listener(String wire, @Nullable String flag, Listener file) {
    return apply(wire, flag, file, text -> ListenerText.read(text, file));
  }

  /** The flag, else the variable, else what was there. A variable that is empty is not set. */
  private <T> T apply(String name, @Nullable String flag, T otherwise, Function<String, T> read) {
    String variable = "STINT_" + name.toUpperCase(Locale.ROOT);
    String set = environment.getOrDefault(variable, "");
    try {
      return flag != null ? read.apply(flag) : set.isEmpty() ? otherwise : read.apply(set);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          (flag != null ? "--" + name : variable) + " " + e.getMessage(), e);
    }
  }
}
