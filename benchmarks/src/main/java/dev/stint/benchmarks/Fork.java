package dev.stint.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs one of our programs in a JVM of its own. */
public final class Fork {

  private Fork() {}

  /** What the program printed, by lines. */
  static List<String> run(Class<?> program, List<String> options, List<String> args)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command(program, options, args)).redirectErrorStream(true).start();
    List<String> lines =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .toList();
    if (process.waitFor() != 0) {
      throw new IllegalStateException(
          program.getSimpleName() + " " + args + " must end well: " + String.join("\n", lines));
    }
    return lines;
  }

  /** The program, running; what it complains about is shown. */
  public static Process start(Class<?> program, List<String> options, List<String> args)
      throws IOException {
    return new ProcessBuilder(command(program, options, args))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static List<String> command(Class<?> program, List<String> options, List<String> args) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(program.getName());
    command.addAll(args);
    return command;
  }
}
