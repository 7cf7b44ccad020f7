package dev.stint.redis;

import dev.stint.lab.RedisServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Every command that reaches a server from now on. */
final class Monitor {

  private static final String LAST = "the last line of the monitor";

  private final RedisServer server;
  private final Queue<String> lines = new ConcurrentLinkedQueue<>();

  private Monitor(RedisServer server) {
    this.server = server;
  }

  static Monitor of(RedisServer server) {
    Monitor monitor = new Monitor(server);
    try {
      Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
      socket.getOutputStream().write("MONITOR\r\n".getBytes(StandardCharsets.US_ASCII));
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
      in.readLine(); // OK: from here on everything is told
      Thread thread = new Thread(() -> in.lines().forEach(monitor.lines::add), "monitor");
      thread.setDaemon(true);
      thread.start();
      return monitor;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How many scripts or functions ran so far that read a key that ends so. */
  long runsOn(String keyEnd) {
    server.ask("ECHO", LAST);
    Eventually.within(
        Duration.ofSeconds(10),
        "the end of the monitor",
        () -> lines.stream().anyMatch(line -> line.contains(LAST)));
    return lines.stream()
        .filter(line -> line.contains(" lua] \"GET\" ") && line.endsWith(keyEnd + "\""))
        .count();
  }
}
