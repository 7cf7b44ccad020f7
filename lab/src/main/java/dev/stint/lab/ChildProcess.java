package dev.stint.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The process of one server and its directory, with the signals it can be sent. */
final class ChildProcess implements AutoCloseable {
  private static final Set<ChildProcess> OPEN = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> OPEN.forEach(ChildProcess::close)));
  }

  private final Path directory;
  private final List<String> command = new ArrayList<>();
  private volatile @Nullable Process process;
  private volatile boolean stopped;

  ChildProcess(Path program, List<String> configuration, List<String> arguments) {
    try {
      directory = Files.createTempDirectory("stint-redis-");
      List<String> lines = new ArrayList<>(configuration);
      lines.add("dir \"" + directory + "\"");
      lines.add("logfile \"" + directory.resolve("server.log") + "\"");
      Files.write(configurationFile(), lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    command.add(program.toString());
    command.add(configurationFile().toString());
    command.addAll(arguments);
    OPEN.add(this);
  }

  synchronized void start() {
    if (!OPEN.contains(this)) throw new IllegalStateException("the server must not be closed yet");
    try {
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(output().toFile()))
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  long pid() {
    return started().pid();
  }

  boolean isAlive() {
    Process current = process;
    return current != null && current.isAlive();
  }

  boolean isStopped() {
    return stopped;
  }

  synchronized void stop() {
    signal("STOP");
    stopped = true;
    awaitFrozen();
  }

  synchronized void cont() {
    signal("CONT");
    stopped = false;
  }

  synchronized void kill() {
    Process current = process;
    if (current == null) return;
    current.destroyForcibly();
    boolean interrupted = false;
    while (current.isAlive()) {
      try {
        current.waitFor();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    stopped = false;
    if (interrupted) Thread.currentThread().interrupt();
  }

  /** Gives what the process printed and the end of what it logged. */
  String log() {
    return tail(output()) + tail(directory.resolve("server.log"));
  }

  @Override
  public synchronized void close() {
    kill();
    if (OPEN.remove(this)) deleteDirectory();
  }

  private void signal(String name) {
    if (!isAlive()) {
      throw new IllegalStateException("the process must be alive to be sent SIG" + name);
    }
    try {
      // The shell's own kill, since not every machine has the program.
      Process shell = new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid()).start();
      if (shell.waitFor() != 0) {
        throw new IllegalStateException("kill -" + name + " must succeed: " + shell.exitValue());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while sending SIG" + name, e);
    }
  }

  /** The signal is on its way when kill returns; on Linux the arrival can be seen. */
  private void awaitFrozen() {
    Path state = Path.of("/proc/" + pid() + "/stat");
    if (!Files.exists(state)) return;
    Await.until(
        "the freezing of process " + pid(),
        Duration.ofSeconds(5),
        () -> {
          try {
            return Files.readString(state).contains(") T ");
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private Process started() {
    Process current = process;
    if (current == null) throw new IllegalStateException("the process must have been started");
    return current;
  }

  private Path configurationFile() {
    return directory.resolve("server.conf");
  }

  private Path output() {
    return directory.resolve("output.log");
  }

  private static String tail(Path file) {
    try {
      List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size())) + "\n";
    } catch (IOException e) {
      return "";
    }
  }

  private void deleteDirectory() {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
