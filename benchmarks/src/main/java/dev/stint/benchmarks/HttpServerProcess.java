package dev.stint.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A contestant's server, in a process of its own so that its use of the processors is its own. */
final class HttpServerProcess implements AutoCloseable {

  private final Process process;
  private final BufferedReader out;
  private final PrintStream in;
  private final int port;

  private HttpServerProcess(Process process) throws IOException {
    this.process = process;
    out = process.inputReader(StandardCharsets.UTF_8);
    in = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    port = (int) number();
  }

  static HttpServerProcess start(HttpContestant contestant) throws IOException {
    return new HttpServerProcess(
        Fork.start(HttpProgram.class, List.of("-Xms512m", "-Xmx512m"), List.of(contestant.name())));
  }

  int port() {
    return port;
  }

  /** What it has used of the processors so far. */
  long cpuNanos() throws IOException {
    in.println("cpu");
    return number();
  }

  private long number() throws IOException {
    String line = out.readLine();
    if (line == null) {
      throw new IOException("a server of the benchmark must answer: it has ended");
    }
    return Long.parseLong(line);
  }

  @Override
  public void close() throws InterruptedException {
    in.close();
    process.waitFor();
  }
}
