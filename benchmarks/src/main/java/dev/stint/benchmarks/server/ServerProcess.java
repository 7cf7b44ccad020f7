package dev.stint.benchmarks.server;

import dev.stint.benchmarks.Fork;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server in a process of its own: the service, or a floor. */
final class ServerProcess implements AutoCloseable {

  /** What the launcher gives the service's JVM, told by the script that started the benchmarks. */
  static final List<String> FLAGS =
      Arrays.stream(System.getProperty("stint.service.flags", "").split(" ", -1))
          .filter(flag -> !flag.isEmpty())
          .toList();

  private static final long PATIENCE_SECONDS = 60;

  private final long begun;
  private final Process process;
  private final Ports ports = new Ports();

  private ServerProcess(long begun, Process process, List<String> wires) throws IOException {
    this.begun = begun;
    this.process = process;
    // Whoever stops a run in the middle leaves nothing behind.
    Runtime.getRuntime().addShutdownHook(new Thread(this::end));
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    List<String> lines = new ArrayList<>();
    try {
      while (!ports.has(wires)) {
        String line = out.readLine();
        if (line == null) {
          throw new IOException(
              "a server must print its ports, and not end; it printed:\n"
                  + String.join("\n", lines));
        }
        lines.add(line);
        ports.read(line);
      }
    } catch (IOException | RuntimeException e) {
      process.destroyForcibly();
      throw e;
    }
    Thread rest = new Thread(() -> out.lines().forEach(line -> {}), "log of a server");
    rest.setDaemon(true);
    rest.start();
  }

  /** Starts the service with this configuration, on free ports. */
  static ServerProcess service(Path jar, String configuration) throws IOException {
    if (!Files.exists(jar)) {
      throw new IOException("the service must be built: there is no " + jar);
    }
    // Left there while it runs, because the service watches it.
    Path file = Files.createTempFile("bench", ".yaml");
    file.toFile().deleteOnExit();
    Files.writeString(file, configuration);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(FLAGS);
    command.addAll(List.of("-jar", jar.toString(), "serve", "--config", file.toString()));
    for (String wire : List.of("--http", "--grpc", "--resp", "--admin")) {
      command.addAll(List.of(wire, "127.0.0.1:0"));
    }
    long begun = System.nanoTime();
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    return new ServerProcess(begun, process, List.of("http", "grpc", "resp", "admin"));
  }

  /** Starts the floors of HTTP and gRPC, with these constants to answer. */
  static ServerProcess floors(byte[] body, byte[] message) throws IOException {
    Process process =
        Fork.start(
            FloorProgram.class,
            FLAGS,
            List.of(FloorProgram.argument(body), FloorProgram.argument(message)));
    return new ServerProcess(System.nanoTime(), process, List.of("http", "grpc"));
  }

  long begun() {
    return begun;
  }

  long pid() {
    return process.pid();
  }

  int port(String wire) {
    return ports.of(wire);
  }

  /** By the handle: the process itself would cut off what the server still has to say. */
  private void end() {
    boolean unused = process.toHandle().destroy();
  }

  @Override
  public void close() {
    end();
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
