package dev.stint.server.ordeal;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sends requests on one connection until the service closes it, with up to {@code window} of them
 * unanswered, and counts the answers. It fails if an answer is not whole, if the connection is
 * reset instead of closed, or if more follows what was said to be the last answer.
 */
abstract class LoadClient implements AutoCloseable {

  private static final int PATIENCE_MILLIS = 20_000;
  private static final int MOST_AT_ONCE = 16;

  private final Socket socket;
  private final OutputStream out;
  private final DataInputStream in;
  private final int window;
  private final Semaphore free;
  private volatile boolean over;
  private volatile int sent;
  private final AtomicInteger answered = new AtomicInteger();

  private LoadClient(int port, int window) throws IOException {
    this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(PATIENCE_MILLIS);
    this.out = socket.getOutputStream();
    this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    this.window = window;
    this.free = new Semaphore(window);
  }

  static LoadClient http(int port, int window) throws IOException {
    return new Http1(port, window);
  }

  static LoadClient resp(int port, int window) throws IOException {
    return new Resp(port, window);
  }

  static LoadClient http2(int port, int window) throws IOException {
    return new Http2(
        port, window, "/v1/hit", "application/json", Http1.BODY.getBytes(StandardCharsets.UTF_8));
  }

  static LoadClient grpc(int port, int window) throws IOException {
    byte[] message = Rls.request("user", "a").toByteArray();
    byte[] framed = new byte[5 + message.length];
    framed[4] = (byte) message.length;
    System.arraycopy(message, 0, framed, 5, message.length);
    String method = "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";
    return new Http2(port, window, method, "application/grpc", framed);
  }

  /** How many requests were written, whether or not they arrived. */
  int sent() {
    return sent;
  }

  int answered() {
    return answered.get();
  }

  /** Whether every request that was written must be answered. */
  boolean losesNothing() {
    return false;
  }

  /** Runs until the service has closed the connection. */
  void run() throws IOException, InterruptedException {
    Thread writer = new Thread(this::write, "load");
    writer.setDaemon(true);
    writer.start();
    try {
      while (readAnswer(in)) {}
    } finally {
      over = true;
      free.release(window);
      writer.join(PATIENCE_MILLIS);
    }
  }

  private void write() {
    try {
      begin();
      while (!over) {
        if (!free.tryAcquire(1, TimeUnit.SECONDS)) {
          continue;
        }
        int more = 1;
        while (more < MOST_AT_ONCE && free.tryAcquire()) {
          more++;
        }
        synchronized (out) {
          if (!over) {
            ByteArrayOutputStream requests = new ByteArrayOutputStream();
            for (int i = 0; i < more; i++) {
              requests.writeBytes(request(sent + i));
            }
            sent += more;
            out.write(requests.toByteArray());
          }
        }
      }
    } catch (IOException closed) {
      // The reader finds out how.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  void begin() throws IOException {}

  abstract byte[] request(int number);

  /** Reads until an answer is whole; false if the service has closed the connection before it. */
  abstract boolean readAnswer(DataInputStream from) throws IOException;

  void sendNow(byte[] bytes) throws IOException {
    synchronized (out) {
      out.write(bytes);
    }
  }

  /** Sends no more requests once this has returned. */
  void sendNoMore() {
    synchronized (out) {
      over = true;
    }
  }

  void countAnswer() {
    answered.incrementAndGet();
    free.release();
  }

  static String line(DataInputStream from, int first) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = first; c != '\n'; c = from.read()) {
      if (c < 0) {
        throw new EOFException("an answer must be whole, ended with '" + line + "'");
      }
      line.append((char) c);
    }
    return line.toString().strip();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private static final class Http1 extends LoadClient {

    private static final String BODY = "{\"policy\":\"api\",\"key\":\"a\"}";

    private static final byte[] REQUEST =
        ("POST /v1/hit HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + ("Content-Length: " + BODY.length() + "\r\n\r\n" + BODY))
            .getBytes(StandardCharsets.UTF_8);

    private boolean wasLast;

    private Http1(int port, int window) throws IOException {
      super(port, window);
    }

    @Override
    byte[] request(int number) {
      return REQUEST;
    }

    @Override
    boolean readAnswer(DataInputStream from) throws IOException {
      int first = from.read();
      if (first < 0) {
        return false;
      }
      if (wasLast) {
        throw new IOException("nothing must follow an answer that says close");
      }
      String status = line(from, first);
      if (!status.startsWith("HTTP/1.1 200 ")) {
        throw new IOException("an answer must be 200, was " + status);
      }
      int length = 0;
      String header = line(from, from.read());
      while (!header.isEmpty()) {
        String small = header.toLowerCase(Locale.ROOT);
        if (small.startsWith("content-length:")) {
          length = Integer.parseInt(small.substring(15).strip());
        }
        wasLast |= small.equals("connection: close");
        header = line(from, from.read());
      }
      from.readFully(new byte[length]);
      countAnswer();
      return true;
    }
  }

  private static final class Resp extends LoadClient {

    private static final byte[] REQUEST = "STINT.HIT api a\r\n".getBytes(StandardCharsets.UTF_8);

    private Resp(int port, int window) throws IOException {
      super(port, window);
    }

    @Override
    byte[] request(int number) {
      return REQUEST;
    }

    @Override
    boolean readAnswer(DataInputStream from) throws IOException {
      int first = from.read();
      if (first < 0) {
        return false;
      }
      String head = line(from, first);
      if (!head.equals("*6")) {
        throw new IOException("an answer must be a list of six, was " + head);
      }
      for (int i = 0; i < 6; i++) {
        line(from, from.read());
      }
      countAnswer();
      return true;
    }
  }

  /** HTTP/2 as it is written on the wire: a client that goes away when it is told to. */
  private static final class Http2 extends LoadClient {

    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RESET = 3;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int GOAWAY = 7;
    private static final int WINDOW_UPDATE = 8;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;
    private static final int ACK = 1;

    private final byte[] fields;
    private final byte[] body;

    private Http2(int port, int window, String path, String type, byte[] body) throws IOException {
      super(port, window);
      ByteArrayOutputStream head = new ByteArrayOutputStream();
      head.write(0x83); // :method POST
      head.write(0x86); // :scheme http
      text(head, path, 4);
      text(head, "localhost", 1); // :authority
      text(head, type, 0x0f, 16); // content-type
      this.fields = head.toByteArray();
      this.body = body;
    }

    private static void text(ByteArrayOutputStream head, String value, int... name) {
      for (int part : name) {
        head.write(part);
      }
      head.write(value.length());
      head.writeBytes(value.getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    void begin() throws IOException {
      sendNow(H2.hello());
      byte[] wide = {0x3f, 0, 0, 0};
      sendNow(H2.frame((byte) WINDOW_UPDATE, 0, 0, wide));
    }

    @Override
    byte[] request(int number) {
      int stream = 2 * number + 1;
      return H2.join(
          H2.frame((byte) HEADERS, END_HEADERS, stream, fields),
          H2.frame((byte) DATA, END_STREAM, stream, body));
    }

    @Override
    boolean losesNothing() {
      return true; // nothing was sent after it was told to send no more
    }

    @Override
    boolean readAnswer(DataInputStream from) throws IOException {
      while (true) {
        int first = from.read();
        if (first < 0) {
          return false;
        }
        int length = first << 16 | from.readUnsignedShort();
        int type = from.readUnsignedByte();
        int flags = from.readUnsignedByte();
        int stream = from.readInt();
        byte[] payload = new byte[length];
        from.readFully(payload);
        if (type == SETTINGS && (flags & ACK) == 0) {
          sendNow(H2.frame((byte) SETTINGS, ACK, 0, new byte[0]));
        } else if (type == PING && (flags & ACK) == 0) {
          sendNow(H2.frame((byte) PING, ACK, 0, payload));
        } else if (type == GOAWAY) {
          sendNoMore();
        } else if (type == RESET) {
          throw new IOException("a request must be answered, stream " + stream + " was reset");
        } else if ((type == HEADERS || type == DATA) && (flags & END_STREAM) != 0) {
          countAnswer();
          return true;
        }
      }
    }
  }
}
