package dev.stint.server.attack;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The real service as a child process, with the memory that the promises name. */
final class ServiceProcess implements AutoCloseable {

  private static final long START_SECONDS = 60;
  private static final long STOP_SECONDS = 10;
  private static final long MEASURE_SECONDS = 10;
  private static final int MOST_LOG_LINES = 100_000;

  private final Process process;
  private final Map<String, Integer> ports = new HashMap<>();
  private final BlockingQueue<String> measured = new LinkedBlockingQueue<>();
  private final Queue<String> log = new ConcurrentLinkedQueue<>();

  private ServiceProcess(Process process) {
    this.process = process;
  }

  static ServiceProcess start(Path configuration) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + Path.of("..", "bin", "service.options").toRealPath(),
                "-Xmx192m",
                "-XX:MaxDirectMemorySize=64m",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty("java.class.path"),
                MeasuredMain.class.getName(),
                "serve",
                "--config",
                configuration.toString()));
    Process process =
        new ProcessBuilder(command).directory(configuration.getParent().toFile()).start();
    ServiceProcess service = new ServiceProcess(process);
    service.start();
    return service;
  }

  private void start() throws InterruptedException {
    BlockingQueue<String> ready = new LinkedBlockingQueue<>();
    daemon("output", () -> readOutput(process.inputReader(), ready));
    daemon("log", () -> readLog(process.errorReader()));
    String outcome = ready.poll(START_SECONDS, TimeUnit.SECONDS);
    if (!"ready".equals(outcome)) {
      process.destroyForcibly();
      throw new IllegalStateException("the service must start: " + outcome + " " + log);
    }
  }

  private static void daemon(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void readOutput(BufferedReader out, Queue<String> ready) {
    try {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        String[] words = line.split("\\s+", -1);
        if (line.startsWith(MeasuredMain.MARK)) {
          measured.add(line);
        } else if (line.equals("ready")) {
          ready.add(line);
        } else if (words.length == 2 && words[1].startsWith("127.0.0.1:")) {
          ports.put(words[0], Integer.valueOf(words[1].substring(words[1].indexOf(':') + 1)));
        }
      }
    } catch (IOException e) {
      // the process has ended
    }
    ready.add("it has ended");
  }

  private void readLog(BufferedReader err) {
    try {
      for (String line = err.readLine(); line != null; line = err.readLine()) {
        if (log.size() < MOST_LOG_LINES) {
          log.add(line);
        }
      }
    } catch (IOException e) {
      // the process has ended
    }
  }

  InetSocketAddress address(String wire) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), ports.get(wire));
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Everything that was logged. */
  List<String> log() {
    return List.copyOf(log);
  }

  /** How the process has ended; null if it has not. */
  @Nullable Integer exitCode() {
    return process.isAlive() ? null : process.exitValue();
  }

  /** Collects garbage and measures; null if the process has ended or does not answer in time. */
  @Nullable Memory memory() throws InterruptedException {
    measured.clear();
    try {
      OutputStream in = process.getOutputStream();
      in.write('\n');
      in.flush();
      String line = measured.poll(MEASURE_SECONDS, TimeUnit.SECONDS);
      if (line == null) {
        return null;
      }
      String[] words = line.split(" ", -1);
      return new Memory(Long.parseLong(words[1]), Long.parseLong(words[2]), resident());
    } catch (IOException e) {
      return null;
    }
  }

  /** How many files and sockets the process has open. */
  int openFiles() {
    String[] files = Path.of("/proc/" + process.pid() + "/fd").toFile().list();
    return files == null ? 0 : files.length;
  }

  private long resident() throws IOException {
    for (String line :
        Files.readAllLines(
            Path.of("/proc/" + process.pid() + "/status"), StandardCharsets.US_ASCII)) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
      }
    }
    return 0;
  }

  @Override
  public void close() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      process.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
    }
  }
}
