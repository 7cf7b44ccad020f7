package dev.stint.server.ordeal;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.net.SocketFactory;

/** A client of HTTP/1.1 on one connection. It sends what it is told, right or wrong. */
final class Http implements AutoCloseable {

  private static final int PATIENCE_MILLIS = 20_000;

  /** What came back; names of headers in small letters. */
  record Answer(int status, Map<String, String> headers, String body) {}

  private final Socket socket;
  private final InputStream in;
  private String authorization = "";

  private Http(Socket socket) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(PATIENCE_MILLIS);
    this.in = new BufferedInputStream(socket.getInputStream());
  }

  static Http connect(int port) throws IOException {
    return connect(SocketFactory.getDefault(), port);
  }

  static Http connect(SocketFactory sockets, int port) throws IOException {
    return new Http(sockets.createSocket("127.0.0.1", port));
  }

  /** The same, with a token from now on. */
  Http token(String token) {
    authorization = "Authorization: Bearer " + token + "\r\n";
    return this;
  }

  Answer get(String path) throws IOException {
    send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + authorization + "\r\n");
    return read();
  }

  Answer post(String path, String body) throws IOException {
    sendPost(path, body);
    return read();
  }

  void sendPost(String path, String body) throws IOException {
    int length = body.getBytes(StandardCharsets.UTF_8).length;
    send(
        ("POST " + path + " HTTP/1.1\r\nHost: localhost\r\n" + authorization)
            + ("Content-Type: application/json\r\nContent-Length: " + length + "\r\n\r\n" + body));
  }

  /** A hit of one. */
  Answer hit(String policy, String key) throws IOException {
    return post("/v1/hit", "{\"policy\":\"" + policy + "\",\"key\":\"" + key + "\"}");
  }

  void send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
  }

  Socket socket() {
    return socket;
  }

  Answer read() throws IOException {
    String first = line();
    Map<String, String> headers = new TreeMap<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
    byte[] body = in.readNBytes(length);
    if (body.length < length) {
      throw new EOFException("an answer must be whole");
    }
    return new Answer(
        Integer.parseInt(first.substring(9, 12)),
        headers,
        new String(body, StandardCharsets.UTF_8));
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("closed by the service after '" + line + "'");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
