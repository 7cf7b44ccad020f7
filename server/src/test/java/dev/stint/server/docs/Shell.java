package dev.stint.server.docs;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stint.server.config.Configuration;
import dev.stint.server.config.Listener;
import dev.stint.server.config.Listeners;
import dev.stint.server.engine.Stores;
import dev.stint.server.serve.Service;
import dev.stint.testkit.ManualTime;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs command lines of a page in the project's root, against a service of its own, whose time
 * stands still.
 */
final class Shell implements AutoCloseable {

  private static final Map<String, String> PACKAGES =
      Map.of("curl", "curl", "redis-cli", "redis-tools");

  /** The command line as it was just compiled; there need not be a jar yet. */
  private static final String STINT =
      "'%s' -XX:TieredStopAtLevel=1 -cp '%s' dev.stint.server.Main "
          .formatted(
              Path.of(System.getProperty("java.home"), "bin", "java"),
              System.getProperty("java.class.path"));

  private final Service service;

  Shell(Configuration configuration) {
    Listener free = Listener.on("127.0.0.1", 0);
    this.service =
        Service.start(
            configuration.withListeners(new Listeners(free, free, free, free)),
            Stores.inMemory(ManualTime.create()));
  }

  /** What the lines print, each on lines of its own. */
  String run(String lines) throws IOException, InterruptedException {
    List<String> commands = lines.replace("\\\n", " ").lines().toList();
    StringBuilder printed = new StringBuilder();
    for (String command : commands) {
      printed.append(runOne(command).stripTrailing()).append('\n');
    }
    return tidy(printed.toString());
  }

  /** Without what cannot be seen. */
  static String tidy(String text) {
    return text.lines().map(String::stripTrailing).collect(Collectors.joining("\n")).strip();
  }

  private String runOne(String command) throws IOException, InterruptedException {
    PACKAGES.forEach((program, debian) -> need(command, program, debian));
    Process process =
        new ProcessBuilder("sh", "-c", here(command))
            .directory(new File(".."))
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(30, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("it must end within 30 s: " + command);
    }
    return output;
  }

  private static void need(String command, String program, String debian) {
    boolean isThere =
        Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    assumeTrue(
        isThere || !command.contains(program),
        () -> program + " is not here; Debian has it in the package " + debian);
  }

  /** The command with the ports of this service; answers as a terminal would show them. */
  private String here(String command) {
    return command
        .replace("./stint ", STINT)
        .replace("localhost:8080", "localhost:" + service.httpPort())
        .replace("localhost:9090", "localhost:" + service.adminPort())
        .replace("curl ", "curl --no-progress-meter ")
        .replace("redis-cli -p 6380", "redis-cli --no-raw -p " + service.respPort());
  }

  @Override
  public void close() {
    service.close();
  }
}
