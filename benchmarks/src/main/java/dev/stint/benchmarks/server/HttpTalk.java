package dev.stint.benchmarks.server;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** HTTP/1.1: answers come in order, each with its length, and must be 200 or 429. */
final class HttpTalk implements Talk {

  private static final byte[] VERSION = "HTTP/1.1 ".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] LENGTH = "content-length:".getBytes(StandardCharsets.US_ASCII);
  private static final int STATUS = 3;

  private final Requests.Turn requests;
  private long heard;

  HttpTalk(Requests.Turn requests) {
    this.requests = requests;
  }

  @Override
  public void ask(ByteBuffer out) {
    out.put(requests.next());
  }

  @Override
  public int hear(byte[] bytes, int from, int to, Replies replies) throws WrongReply {
    int begin = from;
    for (int body = body(bytes, begin, to); body >= 0; body = body(bytes, begin, to)) {
      int status = status(bytes, begin, to);
      int end = body + length(bytes, begin, body, to);
      if (end > to) {
        break;
      }
      if (status != 200 && status != 429) {
        throw new WrongReply("the status must be 200 or 429", bytes, begin, to);
      }
      replies.answered(heard++, status == 200);
      begin = end;
    }
    return begin;
  }

  /** Where the body begins; negative if the head is not whole. */
  static int body(byte[] bytes, int from, int to) {
    for (int i = from + STATUS; i < to; i++) {
      if (bytes[i] == '\n' && bytes[i - 1] == '\r' && bytes[i - 2] == '\n') {
        return i + 1;
      }
    }
    return -1;
  }

  private static int status(byte[] bytes, int from, int to) throws WrongReply {
    for (int i = 0; i < VERSION.length; i++) {
      if (bytes[from + i] != VERSION[i]) {
        throw new WrongReply("an answer must begin with HTTP/1.1", bytes, from, to);
      }
    }
    return number(bytes, from + VERSION.length);
  }

  private static int length(byte[] bytes, int from, int body, int to) throws WrongReply {
    for (int i = from; i < body; i++) {
      if (bytes[i] == '\n' && is(bytes, i + 1)) {
        int digit = i + 1 + LENGTH.length;
        return number(bytes, bytes[digit] == ' ' ? digit + 1 : digit);
      }
    }
    throw new WrongReply("an answer must have a Content-Length", bytes, from, to);
  }

  private static boolean is(byte[] bytes, int at) {
    for (int i = 0; i < LENGTH.length; i++) {
      // The head ends by two empty lines' ends, so there is always another byte.
      if (at + i >= bytes.length || (bytes[at + i] | 0x20) != (LENGTH[i] | 0x20)) {
        return false;
      }
    }
    return true;
  }

  private static int number(byte[] bytes, int from) {
    int number = 0;
    for (int i = from; bytes[i] >= '0' && bytes[i] <= '9'; i++) {
      number = number * 10 + bytes[i] - '0';
    }
    return number;
  }
}
