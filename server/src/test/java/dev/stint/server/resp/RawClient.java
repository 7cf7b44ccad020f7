package dev.stint.server.resp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Sends bytes as they are, and reads what comes. */
final class RawClient implements AutoCloseable {

  private final Socket socket;
  private final InputStream in;

  RawClient(int port) {
    try {
      socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(20_000);
      in = socket.getInputStream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void send(String text) {
    send(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  void send(byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void sendNoMore() {
    try {
      socket.shutdownOutput();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One line, without its end. */
  String line() {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = read(); b != '\n'; b = read()) {
      if (b < 0) {
        return line + "(end)";
      }
      if (b != '\r') {
        line.write(b);
      }
    }
    return line.toString(StandardCharsets.UTF_8);
  }

  /** As many lines. */
  String lines(int count) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < count; i++) {
      lines.append(i == 0 ? "" : " ").append(line());
    }
    return lines.toString();
  }

  /** What is said to a request on one line. */
  String ask(String request) {
    send(request + "\r\n");
    return line();
  }

  /** Everything until the server hangs up. */
  String toTheEnd() {
    try {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void readFully(byte[] target, int length) {
    try {
      if (in.readNBytes(target, 0, length) < length) {
        throw new AssertionError("the server hung up");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private int read() {
    try {
      return in.read();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
