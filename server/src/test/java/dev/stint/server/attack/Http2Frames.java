package dev.stint.server.attack;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Frames of HTTP/2, made by hand, to send what no client library would. */
final class Http2Frames {

  static final byte DATA = 0;
  static final byte HEADERS = 1;
  static final byte PRIORITY = 2;
  static final byte RST_STREAM = 3;
  static final byte SETTINGS = 4;
  static final byte PING = 6;
  static final byte GOAWAY = 7;
  static final byte WINDOW_UPDATE = 8;
  static final byte CONTINUATION = 9;

  static final int END_STREAM = 1;
  static final int ACK = 1;
  static final int END_HEADERS = 4;
  static final int PRIORITY_FIELDS = 0x20;

  static final int INITIAL_WINDOW_SIZE = 4;

  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final int CANCEL = 8;

  private Http2Frames() {}

  static byte[] frame(byte type, int flags, int stream, byte[] payload) {
    return ByteBuffer.allocate(9 + payload.length)
        .put((byte) (payload.length >> 16))
        .putShort((short) payload.length)
        .put(type)
        .put((byte) flags)
        .putInt(stream)
        .put(payload)
        .array();
  }

  /** What a client begins with, if it lets the server send so much on each stream. */
  static byte[] hello(int window) {
    byte[] setting =
        ByteBuffer.allocate(6).putShort((short) INITIAL_WINDOW_SIZE).putInt(window).array();
    return join(PREFACE, frame(SETTINGS, 0, 0, setting));
  }

  static byte[] hello() {
    return join(PREFACE, frame(SETTINGS, 0, 0, new byte[0]));
  }

  static byte[] settingsAck() {
    return frame(SETTINGS, ACK, 0, new byte[0]);
  }

  static byte[] windowUpdate(int stream, int increment) {
    return frame(WINDOW_UPDATE, 0, stream, ByteBuffer.allocate(4).putInt(increment).array());
  }

  static byte[] reset(int stream) {
    return frame(RST_STREAM, 0, stream, ByteBuffer.allocate(4).putInt(CANCEL).array());
  }

  static byte[] ping() {
    return frame(PING, 0, 0, new byte[8]);
  }

  /** The head of a POST of JSON, whose body follows. */
  static byte[] post(int stream, String path, @Nullable String token) {
    return frame(HEADERS, END_HEADERS, stream, fields("POST", path, "application/json", token));
  }

  /** A whole GET. */
  static byte[] get(int stream, String path, @Nullable String token) {
    return frame(
        HEADERS, END_HEADERS | END_STREAM, stream, fields("GET", path, "application/json", token));
  }

  /** The head of a gRPC call, whose message follows. */
  static byte[] call(int stream, String method, @Nullable String token) {
    return frame(HEADERS, END_HEADERS, stream, fields("POST", method, "application/grpc", token));
  }

  /** A whole gRPC message as the last of its stream; it must fit into one frame. */
  static byte[] lastMessage(int stream, byte[] message) {
    return frame(DATA, END_STREAM, stream, message(message));
  }

  /** A message with gRPC's prefix. */
  static byte[] message(byte[] message) {
    return ByteBuffer.allocate(5 + message.length)
        .put((byte) 0)
        .putInt(message.length)
        .put(message)
        .array();
  }

  /** Header fields as literals, neither indexed nor compressed. */
  static byte[] fields(String method, String path, String type, @Nullable String token) {
    ByteArrayOutputStream fields = new ByteArrayOutputStream();
    literal(fields, ":method", method);
    literal(fields, ":scheme", "http");
    literal(fields, ":path", path);
    literal(fields, ":authority", "localhost");
    literal(fields, "content-type", type);
    literal(fields, "te", "trailers");
    if (token != null) {
      literal(fields, "authorization", "Bearer " + token);
    }
    return fields.toByteArray();
  }

  static void literal(ByteArrayOutputStream out, String name, String value) {
    out.write(0);
    text(out, name);
    text(out, value);
  }

  private static void text(ByteArrayOutputStream out, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length < 127) {
      out.write(bytes.length);
    } else { // a prefix of seven bits, then seven bits in each byte
      out.write(127);
      int rest = bytes.length - 127;
      for (; rest >= 128; rest >>= 7) {
        out.write((rest & 127) | 128);
      }
      out.write(rest);
    }
    out.writeBytes(bytes);
  }

  static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
