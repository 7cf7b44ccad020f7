package dev.stint.benchmarks.server;

import dev.stint.rls.RateLimitRequest;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * gRPC over HTTP/2, as much of it as unary calls with small messages need. A library for clients
 * costs more than the servers that are measured, and would make all of them alike.
 *
 * <p>Header fields go into the server's table with the first request and are named by number after
 * that, as all clients do. The server's windows are not counted: what is under way is far less.
 */
final class GrpcTalk implements Talk {

  static final String SERVICE = "envoy.service.ratelimit.v3.RateLimitService";
  static final String METHOD = "ShouldRateLimit";

  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RESET = 3;
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int GO_AWAY = 7;
  private static final int WINDOW_UPDATE = 8;

  private static final int END_STREAM = 1;
  private static final int ACK = 1;
  private static final int END_HEADERS = 4;
  private static final int FRAME = 9;
  private static final int PREFIX = 5;

  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] FIRST_FIELDS = firstFields();

  /** The same by their numbers: POST, http, and the four that the first request has added. */
  private static final byte[] FIELDS = {
    (byte) 0x83, (byte) 0x86, (byte) 0xc1, (byte) 0xc0, (byte) 0xbf, (byte) 0xbe
  };

  private static final int REMEMBERED = 1 << 12;

  private final Requests.Turn requests;

  /** Of the calls under way: whether a message has come, and which. By number, over and over. */
  private final byte[] codes = new byte[REMEMBERED];

  private long asked;
  private int settings;
  private int pings;
  private final byte[] ping = new byte[8];

  GrpcTalk(Requests.Turn requests) {
    this.requests = requests;
  }

  /** A call's message for each key, in the frame of gRPC. */
  static Requests requests(int keys) {
    return Requests.of(
        keys,
        key -> {
          RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain("bench");
          request.addDescriptorsBuilder().addEntriesBuilder().setKey("user").setValue(key);
          byte[] message = request.build().toByteArray();
          return ByteBuffer.allocate(PREFIX + message.length)
              .put((byte) 0)
              .putInt(message.length)
              .put(message)
              .array();
        });
  }

  private static byte[] firstFields() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(0x83); // :method: POST
    out.write(0x86); // :scheme: http
    out.write(0x44); // :path, to be remembered
    text(out, "/" + SERVICE + "/" + METHOD);
    out.write(0x41); // :authority, to be remembered
    text(out, "localhost");
    out.write(0x5f); // content-type, to be remembered
    text(out, "application/grpc");
    out.write(0x40); // a field with a name of its own, to be remembered
    text(out, "te");
    text(out, "trailers");
    return out.toByteArray();
  }

  private static void text(ByteArrayOutputStream out, String text) {
    out.write(text.length());
    out.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public void greet(ByteBuffer out) {
    out.put(PREFACE);
    frame(out, 0, SETTINGS, 0, 0);
    frame(out, 4, WINDOW_UPDATE, 0, 0).putInt(Integer.MAX_VALUE - 65_535);
  }

  @Override
  public void ask(ByteBuffer out) {
    byte[] message = requests.next();
    byte[] fields = asked == 0 ? FIRST_FIELDS : FIELDS;
    int stream = (int) (2 * asked + 1);
    codes[slot(asked++)] = 0;
    frame(out, fields.length, HEADERS, END_HEADERS, stream).put(fields);
    frame(out, message.length, DATA, END_STREAM, stream).put(message);
  }

  private static ByteBuffer frame(ByteBuffer out, int length, int type, int flags, int stream) {
    return out.putInt(length << 8 | type).put((byte) flags).putInt(stream);
  }

  private static int slot(long number) {
    return (int) (number & (REMEMBERED - 1));
  }

  @Override
  public int hear(byte[] bytes, int from, int to, Replies replies) throws WrongReply {
    int begin = from;
    while (to - begin >= FRAME) {
      int payload = begin + FRAME;
      int end = payload + length(bytes, begin);
      if (end > to) {
        break;
      }
      frame(bytes, begin, payload, end, replies);
      begin = end;
    }
    return begin;
  }

  static int length(byte[] bytes, int from) {
    return (bytes[from] & 0xff) << 16 | (bytes[from + 1] & 0xff) << 8 | (bytes[from + 2] & 0xff);
  }

  private void frame(byte[] bytes, int begin, int payload, int end, Replies replies)
      throws WrongReply {
    int flags = bytes[begin + 4];
    long number = (ByteBuffer.wrap(bytes).getInt(begin + 5) & Integer.MAX_VALUE) >> 1;
    switch (bytes[begin + 3]) {
      case DATA -> codes[slot(number)] = code(bytes, payload, end);
      case HEADERS -> {
        if ((flags & END_STREAM) != 0) {
          byte code = codes[slot(number)];
          if (code == 0) {
            throw new WrongReply("a call must be answered with a message", bytes, payload, end);
          }
          replies.answered(number, code == 1);
        }
      }
      case SETTINGS -> settings += (flags & ACK) == 0 ? 1 : 0;
      case PING -> {
        if ((flags & ACK) == 0) {
          System.arraycopy(bytes, payload, ping, 0, ping.length);
          pings++;
        }
      }
      case RESET, GO_AWAY ->
          throw new WrongReply(
              "a call must not be broken off: frame " + bytes[begin + 3], bytes, payload, end);
      default -> {}
    }
  }

  /** The overall code, which comes first in the message. */
  private static byte code(byte[] bytes, int payload, int end) throws WrongReply {
    int message = payload + PREFIX;
    if (end < message + 2 || bytes[message] != 8 || (bytes[message + 1] - 1 & 0xfe) != 0) {
      throw new WrongReply("the overall code must be OK or OVER_LIMIT", bytes, payload, end);
    }
    return bytes[message + 1];
  }

  /** The first message among these frames. */
  static byte[] message(byte[] frames) {
    for (int at = 0; at < frames.length; at += FRAME + length(frames, at)) {
      if (frames[at + 3] == DATA) {
        int from = at + FRAME + PREFIX;
        return java.util.Arrays.copyOfRange(frames, from, at + FRAME + length(frames, at));
      }
    }
    throw new IllegalArgumentException("there must be a frame with a message");
  }

  @Override
  public void courtesies(ByteBuffer out) {
    for (; settings > 0; settings--) {
      frame(out, 0, SETTINGS, ACK, 0);
    }
    for (; pings > 0; pings--) {
      frame(out, ping.length, PING, ACK, 0).put(ping);
    }
  }
}
