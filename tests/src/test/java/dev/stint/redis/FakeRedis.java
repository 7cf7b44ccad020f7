package dev.stint.redis;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A server that accepts every user and answers every script and function with one and the same
 * reply, for errors that a real one gives only in moments that no test can choose.
 */
final class FakeRedis implements AutoCloseable {

  private final ServerSocket listener;
  private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
  private volatile String reply;

  /** Starts it; the reply is RESP without the last line end: {@code -LOADING …}. */
  FakeRedis(String reply) {
    this.reply = reply;
    try {
      listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    daemon(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  String uri() {
    return "redis://127.0.0.1:" + port();
  }

  /** Says what to answer from now on. */
  void reply(String line) {
    reply = line;
  }

  @Override
  public void close() {
    try {
      listener.close();
      for (Socket socket : sockets) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void daemon(Runnable task) {
    Thread thread = new Thread(task, "fake redis");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        sockets.add(socket);
        daemon(() -> serve(socket));
      } catch (IOException e) {
        // Closed: the loop's condition tells.
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
      OutputStream out = socket.getOutputStream();
      for (; ; ) {
        out.write((answer(command(in)) + "\r\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
      }
    } catch (IOException e) {
      // The client is gone.
    }
  }

  private static List<String> command(DataInputStream in) throws IOException {
    int words = Integer.parseInt(line(in).substring(1));
    List<String> command = new ArrayList<>();
    for (int i = 0; i < words; i++) {
      byte[] word = new byte[Integer.parseInt(line(in).substring(1))];
      in.readFully(word);
      line(in);
      command.add(new String(word, StandardCharsets.UTF_8));
    }
    return command;
  }

  private static String line(DataInputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int b = in.readUnsignedByte(); b != '\n'; b = in.readUnsignedByte()) {
      if (b != '\r') {
        line.append((char) b);
      }
    }
    return line.toString();
  }

  private String answer(List<String> command) {
    return switch (command.get(0).toUpperCase(Locale.ROOT)) {
      case "HELLO" -> "-ERR unknown command 'HELLO'";
      case "PING" -> "+PONG";
      case "FCALL", "EVALSHA", "EVAL" -> reply;
      case "CLUSTER" -> bulk(nodes());
      case "INFO" -> bulk("# Clients\r\nconnected_clients:1\r\n");
      default -> "+OK";
    };
  }

  private static String bulk(String text) {
    return "$" + text.length() + "\r\n" + text;
  }

  /** A cluster of this one node, which has all slots. */
  private String nodes() {
    String id = "0123456789abcdef0123456789abcdef01234567";
    return id + " 127.0.0.1:" + port() + "@1 myself,master - 0 0 1 connected 0-16383\n";
  }
}
