package dev.stint.server.ordeal;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Frames of HTTP/2, written by hand, to send what no client would. */
final class H2 {

  static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private static final byte SETTINGS = 4;
  private static final byte PING = 6;
  private static final byte HEADERS = 1;
  private static final byte END_HEADERS = 4;

  private H2() {}

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

  /** What a client begins with. */
  static byte[] hello() {
    return join(PREFACE, frame(SETTINGS, 0, 0, new byte[0]));
  }

  static byte[] ping() {
    return frame(PING, 0, 0, new byte[8]);
  }

  static byte[] data(int stream, byte... payload) {
    return frame((byte) 0, 0, stream, payload);
  }

  /** The head of a call of Envoy's service. */
  static byte[] call(int stream) {
    return frame(HEADERS, END_HEADERS, stream, fields());
  }

  /** A part of that head, which says that more is to come. */
  static byte[] partOfCall(int stream) {
    return frame(HEADERS, 0, stream, fields());
  }

  /** Some more of that head, which is not all yet either. */
  static byte[] more(int stream) {
    byte[] field = {0x0f, 0x01, 0x01, 'a'}; // accept-charset: a
    return frame((byte) 9, 0, stream, field);
  }

  private static byte[] fields() {
    ByteArrayOutputStream fields = new ByteArrayOutputStream();
    fields.write(0x83); // :method POST
    fields.write(0x86); // :scheme http
    known(fields, 4, "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit");
    known(fields, 1, "localhost");
    fields.write(0x0f); // content-type
    text(fields, 16, "application/grpc");
    return fields.toByteArray();
  }

  private static void known(ByteArrayOutputStream fields, int index, String value) {
    text(fields, index, value);
  }

  private static void text(ByteArrayOutputStream fields, int before, String value) {
    fields.write(before);
    fields.write(value.length());
    fields.writeBytes(value.getBytes(StandardCharsets.US_ASCII));
  }

  static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
