package dev.stint.lab;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One plain connection that speaks RESP2: a word list out, a reply in. For one thread at a time.
 * After an {@link UncheckedIOException} (a time-out too) the connection is closed, since the next
 * reply could be the answer to an earlier call.
 */
public final class Resp implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final Socket socket;
  private final InputStream in;

  private Resp(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new BufferedInputStream(socket.getInputStream());
  }

  public static Resp connect(int port) {
    return connect("127.0.0.1", port, TIMEOUT);
  }

  /** Connects; {@code timeout} bounds the connecting and each reply. */
  public static Resp connect(String host, int port, Duration timeout) {
    Socket socket = new Socket();
    try {
      socket.setTcpNoDelay(true);
      socket.connect(new InetSocketAddress(host, port), (int) timeout.toMillis());
      socket.setSoTimeout((int) timeout.toMillis());
      return new Resp(socket);
    } catch (IOException e) {
      close(socket);
      throw new UncheckedIOException(host + ":" + port + ": " + e.getMessage(), e);
    }
  }

  /**
   * Sends one command and gives its reply: a {@code String}, a {@code Long}, a {@code
   * List<Object>}, or null for nil.
   *
   * @throws ErrorReply if the server answers with an error; one within a list is an element of it
   */
  public @Nullable Object call(String... words) {
    try {
      send(words);
      Object reply = read();
      if (reply instanceof ErrorReply error) throw error;
      return reply;
    } catch (IOException e) {
      close();
      throw new UncheckedIOException(String.join(" ", words) + ": " + e.getMessage(), e);
    }
  }

  /** Calls, for a reply that is text. */
  public String text(String... words) {
    return as(String.class, words);
  }

  /** Calls, for a reply that is an integer. */
  public long number(String... words) {
    return as(Long.class, words);
  }

  /** Calls, for a reply that is a list. */
  @SuppressWarnings("unchecked") // every list is made by read()
  public List<@Nullable Object> list(String... words) {
    return as(List.class, words);
  }

  private <T> T as(Class<T> type, String... words) {
    Object reply = call(words);
    if (!type.isInstance(reply)) {
      throw new IllegalStateException(
          String.join(" ", words) + " must answer a " + type.getSimpleName() + ": " + reply);
    }
    return type.cast(reply);
  }

  @Override
  public void close() {
    close(socket);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void send(String... words) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(("*" + words.length + "\r\n").getBytes(StandardCharsets.UTF_8));
    for (String word : words) {
      byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
      out.writeBytes(("$" + bytes.length + "\r\n").getBytes(StandardCharsets.UTF_8));
      out.writeBytes(bytes);
      out.writeBytes(new byte[] {'\r', '\n'});
    }
    socket.getOutputStream().write(out.toByteArray());
  }

  private @Nullable Object read() throws IOException {
    String line = line();
    String rest = line.substring(1);
    return switch (line.charAt(0)) {
      case '+' -> rest;
      case '-' -> new ErrorReply(rest);
      case ':' -> Long.valueOf(rest);
      case '$' -> bulk(Integer.parseInt(rest));
      case '*' -> array(Integer.parseInt(rest));
      default -> throw new IOException("a RESP2 reply begins with one of +-:$*: " + line);
    };
  }

  private @Nullable String bulk(int length) throws IOException {
    if (length < 0) return null;
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length || in.readNBytes(2).length < 2) throw closed();
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private @Nullable List<@Nullable Object> array(int size) throws IOException {
    if (size < 0) return null;
    List<@Nullable Object> elements = new ArrayList<>(size);
    for (int i = 0; i < size; i++) elements.add(read());
    return elements;
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) throw closed();
      if (b != '\r') line.write(b);
    }
    if (line.size() == 0) throw new IOException("a RESP2 reply must not begin with an empty line");
    return line.toString(StandardCharsets.UTF_8);
  }

  private static EOFException closed() {
    return new EOFException("the server closed the connection before its reply was complete");
  }

  /** An error the server answered; the message is the server's, its first word the code. */
  public static final class ErrorReply extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String code;

    ErrorReply(String message) {
      super(message);
      this.code = message.split(" ", 2)[0];
    }

    /** Gives the first word, such as {@code ERR}, {@code NOSCRIPT} or {@code MOVED}. */
    public String code() {
      return code;
    }
  }
}
