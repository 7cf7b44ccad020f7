package dev.stint.server.serve;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * {@code stint serve} in a JVM of its own that is expected to end by itself.
 *
 * @param err everything on standard error
 */
record ServeProcess(int exitCode, String out, String err) {

  /** Runs it in this directory and waits for its end. */
  static ServeProcess run(Path directory, String... args) throws IOException, InterruptedException {
    return run(directory, Map.of(), args);
  }

  static ServeProcess run(Path directory, Map<String, String> environment, String... args)
      throws IOException, InterruptedException {
    String paths =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command =
        new ArrayList<>(List.of(java, "-cp", paths, "dev.stint.server.Main", "serve"));
    command.addAll(List.of(args));
    Path out = directory.resolve("out.txt");
    Path err = directory.resolve("err.txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    try {
      boolean ended = process.waitFor(60, TimeUnit.SECONDS);
      return new ServeProcess(ended ? process.exitValue() : -1, text(out), text(err));
    } finally {
      process.destroyForcibly();
    }
  }

  /** Standard error without what Vert.x says if this machine is too busy to run its threads. */
  String sentences() {
    return err.replaceAll("(?m)^.* io\\.vertx\\.\\S+BlockedThreadChecker: .*\\R", "");
  }

  private static String text(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.UTF_8);
  }
}
