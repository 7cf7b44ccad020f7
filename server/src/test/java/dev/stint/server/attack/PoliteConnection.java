package dev.stint.server.attack;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Map;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** A connection of a client that sends a request, reads the answer, and checks it. */
abstract class PoliteConnection implements Closeable {

  private static final int TIMEOUT_MILLIS = 10_000;

  /** How each kind of client connects. */
  interface Opener {
    PoliteConnection open(Target target) throws IOException;
  }

  static final Map<String, Opener> KINDS =
      Map.of(
          "HTTP/1.1", Http1::new,
          "HTTP/2", Http2::new,
          "gRPC", Grpc::new,
          "RESP", Resp::new,
          "scrape", Scrape::new);

  final Target target;
  private final Socket socket;
  final DataInputStream in;
  final OutputStream out;

  private PoliteConnection(Target target, String wire, @Nullable String protocol)
      throws IOException {
    this.target = target;
    Socket plain = new Socket();
    plain.setTcpNoDelay(true);
    plain.setSoTimeout(TIMEOUT_MILLIS);
    plain.connect(target.address(wire), TIMEOUT_MILLIS);
    this.socket = target.tls() == null ? plain : encrypt(plain, target, protocol);
    this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    this.out = socket.getOutputStream();
  }

  private static Socket encrypt(Socket plain, Target target, @Nullable String protocol)
      throws IOException {
    SSLSocket socket =
        (SSLSocket)
            target.tls().getSocketFactory().createSocket(plain, "localhost", plain.getPort(), true);
    if (protocol != null) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setApplicationProtocols(new String[] {protocol});
      socket.setSSLParameters(parameters);
    }
    socket.startHandshake();
    return socket;
  }

  /** Sends one request and reads its answer; fails unless it is as it must be. */
  abstract void ask() throws IOException;

  final String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new IOException("closed by the service");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  static void check(boolean right, String what) throws IOException {
    if (!right) {
      throw new IOException("wrong answer: " + what);
    }
  }

  @Override
  public final void close() throws IOException {
    socket.close();
  }

  // ---- HTTP/1.1 --------------------------------------------------------------------------------

  private static class Http1 extends PoliteConnection {
    private final byte[] request;

    Http1(Target target) throws IOException {
      this(target, Target.HTTP, request(target));
    }

    Http1(Target target, String wire, byte[] request) throws IOException {
      super(target, wire, "http/1.1");
      this.request = request;
    }

    private static byte[] request(Target target) {
      String body = "{\"policy\":\"api\",\"key\":\"polite\"}";
      return ("POST /v1/hit HTTP/1.1\r\nHost: localhost\r\n"
              + authorization(target)
              + "Content-Type: application/json\r\nContent-Length: "
              + body.length()
              + "\r\n\r\n"
              + body)
          .getBytes(US_ASCII);
    }

    static String authorization(Target target) {
      return target.token() == null ? "" : "Authorization: Bearer " + target.token() + "\r\n";
    }

    @Override
    void ask() throws IOException {
      out.write(request);
      String first = line();
      int length = -1;
      for (String line = line(); !line.isEmpty(); line = line()) {
        if (line.regionMatches(true, 0, "content-length: ", 0, 16)) {
          length = Integer.parseInt(line.substring(16));
        }
      }
      String body = length < 0 ? chunks() : new String(in.readNBytes(length), US_ASCII);
      check(first.startsWith("HTTP/1.1 200"), first + " " + body);
      check(body.contains(expected()), body);
    }

    private String chunks() throws IOException {
      StringBuilder body = new StringBuilder();
      for (int size = Integer.parseInt(line(), 16); size > 0; size = Integer.parseInt(line(), 16)) {
        body.append(new String(in.readNBytes(size), US_ASCII));
        line();
      }
      line();
      return body.toString();
    }

    String expected() {
      return "\"allowed\":true";
    }
  }

  private static final class Scrape extends Http1 {
    Scrape(Target target) throws IOException {
      super(
          target,
          Target.ADMIN,
          ("GET /metrics HTTP/1.1\r\nHost: localhost\r\n" + authorization(target) + "\r\n")
              .getBytes(US_ASCII));
    }

    @Override
    String expected() {
      return "stint_connections";
    }
  }

  // ---- HTTP/2 ----------------------------------------------------------------------------------

  private static class Http2 extends PoliteConnection {
    private int stream = -1;

    Http2(Target target) throws IOException {
      this(target, Target.HTTP);
    }

    Http2(Target target, String wire) throws IOException {
      super(target, wire, "h2");
      out.write(Http2Frames.hello());
    }

    byte[] request(int stream) {
      return Http2Frames.join(
          Http2Frames.post(stream, "/v1/hit", target.token()),
          Http2Frames.frame(
              Http2Frames.DATA,
              Http2Frames.END_STREAM,
              stream,
              "{\"policy\":\"api\",\"key\":\"polite\"}".getBytes(US_ASCII)));
    }

    void judge(byte[] body) throws IOException {
      String text = new String(body, US_ASCII);
      check(text.contains("\"allowed\":true"), text);
    }

    @Override
    void ask() throws IOException {
      stream += 2;
      out.write(request(stream));
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      boolean first = true;
      while (true) {
        int length = in.read() << 16 | in.readUnsignedShort();
        byte type = in.readByte();
        int flags = in.readUnsignedByte();
        int of = in.readInt();
        byte[] payload = in.readNBytes(length);
        check(type != Http2Frames.GOAWAY, "GOAWAY");
        check(type != Http2Frames.RST_STREAM, "RST_STREAM");
        if (type == Http2Frames.SETTINGS && flags != Http2Frames.ACK) {
          out.write(Http2Frames.settingsAck());
        } else if (type == Http2Frames.PING && flags != Http2Frames.ACK) {
          out.write(Http2Frames.frame(Http2Frames.PING, Http2Frames.ACK, 0, payload));
        } else if (type == Http2Frames.HEADERS && of == stream && first) {
          first = false;
          int at = (flags & Http2Frames.PRIORITY_FIELDS) == 0 ? 0 : 5;
          check(payload[at] == (byte) 0x88, ":status must be 200"); // entry 8 of the static table
        } else if (type == Http2Frames.DATA && of == stream) {
          body.writeBytes(payload);
          if (length > 0) {
            out.write(Http2Frames.windowUpdate(0, length));
          }
        }
        boolean ends = (flags & Http2Frames.END_STREAM) != 0;
        if (of == stream && ends && type <= Http2Frames.HEADERS) {
          judge(body.toByteArray());
          return;
        }
      }
    }
  }

  private static final class Grpc extends Http2 {
    private static final byte[] MESSAGE =
        Protobuf.request("web", Protobuf.descriptor("user", "polite"));

    Grpc(Target target) throws IOException {
      super(target, Target.GRPC);
    }

    @Override
    byte[] request(int stream) {
      return Http2Frames.join(
          Http2Frames.call(
              stream,
              "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit",
              target.token()),
          Http2Frames.lastMessage(stream, MESSAGE));
    }

    @Override
    void judge(byte[] body) throws IOException {
      // overall_code: OK, behind the prefix of five bytes
      check(body.length > 7 && body[5] == 8 && body[6] == 1, "not OK, " + body.length + " bytes");
    }
  }

  // ---- RESP ------------------------------------------------------------------------------------

  private static final class Resp extends PoliteConnection {
    private static final byte[] REQUEST =
        "*3\r\n$9\r\nSTINT.HIT\r\n$3\r\napi\r\n$6\r\npolite\r\n".getBytes(US_ASCII);

    Resp(Target target) throws IOException {
      super(target, Target.RESP, null);
      if (target.token() != null) {
        out.write(("AUTH " + target.token() + "\r\n").getBytes(US_ASCII));
        String answer = line();
        check(answer.equals("+OK"), answer);
      }
    }

    @Override
    void ask() throws IOException {
      out.write(REQUEST);
      String head = line();
      check(head.equals("*6"), head);
      String allowed = line();
      check(allowed.equals(":1"), allowed);
      for (int i = 0; i < 5; i++) {
        line();
      }
    }
  }
}
