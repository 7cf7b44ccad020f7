package dev.stint.server.ordeal;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** An HTTP/2 connection on a raw socket: it sends any frames, and collects what comes back. */
final class RawHttp2 implements AutoCloseable {

  static final String CALL = "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";

  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int GO_AWAY = 7;
  private static final int END_STREAM = 1;
  private static final int ACK = 1;
  private static final int END_HEADERS = 4;
  private static final int PRIORITY = 0x20;

  /** What came back on one stream. */
  static final class Reply {
    final Map<String, String> fields = new LinkedHashMap<>();
    final ByteArrayOutputStream data = new ByteArrayOutputStream();
    boolean ended;
    long reset = -1;

    /** The status and message of gRPC. */
    String status() {
      return fields.get("grpc-status")
          + (fields.containsKey("grpc-message") ? " " + fields.get("grpc-message") : "");
    }

    @Override
    public String toString() {
      return (reset >= 0 ? "reset " + reset + " " : "") + fields;
    }
  }

  private final Socket socket;
  private final DataInputStream in;
  private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(false, 1 << 20);
  private final Map<Integer, Reply> replies = new TreeMap<>();
  private int stream = -1;
  long goneAway = -1;

  private RawHttp2(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(20_000);
    in = new DataInputStream(new java.io.BufferedInputStream(socket.getInputStream()));
    send(H2.hello(), windowUpdate(0, Integer.MAX_VALUE - 65_535));
  }

  static RawHttp2 connect(int port) throws IOException {
    return new RawHttp2(port);
  }

  int nextStream() {
    return stream += 2;
  }

  void send(byte[]... frames) throws IOException {
    socket.getOutputStream().write(H2.join(frames));
  }

  /** A head with these fields, in this order: names and values by turns. */
  static byte[] head(int stream, boolean end, String... fields) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    for (String field : fields) {
      byte[] bytes = field.getBytes(StandardCharsets.ISO_8859_1);
      if (fields.length > 0 && isName(fields, field)) {
        block.write(0); // a literal, not to be remembered, with a name of its own
      }
      length(block, bytes.length);
      block.writeBytes(bytes);
    }
    return H2.frame(
        (byte) HEADERS, END_HEADERS | (end ? END_STREAM : 0), stream, block.toByteArray());
  }

  @SuppressWarnings("ReferenceEquality") // the same text may be a name and a value
  private static boolean isName(String[] fields, String field) {
    for (int i = 0; i < fields.length; i++) {
      if (fields[i] == field) {
        return i % 2 == 0;
      }
    }
    return false;
  }

  private static void length(ByteArrayOutputStream block, int length) {
    if (length < 127) {
      block.write(length);
      return;
    }
    block.write(127);
    int rest = length - 127;
    while (rest >= 128) {
      block.write(rest % 128 + 128);
      rest /= 128;
    }
    block.write(rest);
  }

  /** The head of a gRPC call, with more fields. */
  static byte[] call(int stream, boolean end, String path, String... more) {
    String[] usual = {
      ":method",
      "POST",
      ":scheme",
      "http",
      ":path",
      path,
      ":authority",
      "localhost",
      "content-type",
      "application/grpc",
      "te",
      "trailers"
    };
    String[] all = new String[usual.length + more.length];
    System.arraycopy(usual, 0, all, 0, usual.length);
    System.arraycopy(more, 0, all, usual.length, more.length);
    return head(stream, end, all);
  }

  static byte[] data(int stream, boolean end, byte[] payload) {
    return H2.frame((byte) DATA, end ? END_STREAM : 0, stream, payload);
  }

  static byte[] reset(int stream, int code) {
    return H2.frame((byte) RST_STREAM, 0, stream, ByteBuffer.allocate(4).putInt(code).array());
  }

  static byte[] windowUpdate(int stream, int increment) {
    return H2.frame((byte) 8, 0, stream, ByteBuffer.allocate(4).putInt(increment).array());
  }

  /** A message of gRPC with this first byte. */
  static byte[] message(int flag, byte[] bytes) {
    return ByteBuffer.allocate(5 + bytes.length)
        .put((byte) flag)
        .putInt(bytes.length)
        .put(bytes)
        .array();
  }

  /** Reads until this stream is over, in whatever way. */
  Reply reply(int id) throws IOException {
    Reply reply = of(id);
    while (!reply.ended && reply.reset < 0) {
      if (!readFrame()) {
        throw new EOFException("closed, GOAWAY " + goneAway + "; stream " + id + ": " + reply);
      }
    }
    return reply;
  }

  Reply of(int id) {
    return replies.computeIfAbsent(id, i -> new Reply());
  }

  /** Reads one frame; false if the connection is closed. */
  boolean readFrame() throws IOException {
    int first;
    try {
      first = in.read();
    } catch (java.net.SocketException e) {
      return false;
    }
    if (first < 0) {
      return false;
    }
    int length = first << 16 | in.readUnsignedShort();
    int type = in.readUnsignedByte();
    int flags = in.readUnsignedByte();
    int id = in.readInt() & Integer.MAX_VALUE;
    byte[] payload = new byte[length];
    in.readFully(payload);
    switch (type) {
      case DATA -> {
        of(id).data.writeBytes(payload);
        of(id).ended |= (flags & END_STREAM) != 0;
      }
      case HEADERS -> {
        int priority = (flags & PRIORITY) != 0 ? 5 : 0;
        fields(id, Arrays.copyOfRange(payload, priority, payload.length));
        of(id).ended |= (flags & END_STREAM) != 0;
      }
      case RST_STREAM -> of(id).reset = ByteBuffer.wrap(payload).getInt();
      case GO_AWAY -> goneAway = ByteBuffer.wrap(payload).getInt(4);
      case SETTINGS -> {
        if ((flags & ACK) == 0) {
          send(H2.frame((byte) SETTINGS, ACK, 0, new byte[0]));
        }
      }
      default -> {}
    }
    return true;
  }

  private void fields(int id, byte[] block) throws IOException {
    try {
      Http2Headers headers = decoder.decodeHeaders(id, Unpooled.wrappedBuffer(block));
      headers.forEach(
          field -> of(id).fields.put(field.getKey().toString(), field.getValue().toString()));
    } catch (Http2Exception e) {
      throw new IOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
