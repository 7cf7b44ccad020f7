package dev.stint.benchmarks.server;

import java.nio.ByteBuffer;

/**
 * Redis' protocol: answers come in order, and must be an integer or an array of integers of the
 * expected form.
 */
final class RespTalk implements Talk {

  /** What the answers of a command look like. */
  enum Form {
    /** {@code PING}. */
    PONG,
    /** A script that returns 1. */
    ONE,
    /** {@code CL.THROTTLE}: 0 if allowed, and four more. */
    THROTTLE,
    /** {@code STINT.HIT}: 1 if allowed, …, 0 unless it is degraded. */
    HIT
  }

  private static final int MOST = 8;

  private final Requests.Turn requests;
  private final Form form;
  private final long[] numbers = new long[MOST];
  private long heard;

  RespTalk(Requests.Turn requests, Form form) {
    this.requests = requests;
    this.form = form;
  }

  @Override
  public void ask(ByteBuffer out) {
    out.put(requests.next());
  }

  @Override
  public int hear(byte[] bytes, int from, int to, Replies replies) throws WrongReply {
    int begin = from;
    while (begin < to) {
      int end = one(bytes, begin, to);
      if (end < 0) {
        break;
      }
      replies.answered(heard++, allowed(bytes, begin, end));
      begin = end;
    }
    return begin;
  }

  /** Where the answer that begins here ends; negative if it is not whole. */
  private int one(byte[] bytes, int from, int to) throws WrongReply {
    int end = line(bytes, from, to);
    if (end < 0 || bytes[from] != '*') {
      return end;
    }
    long count = number(bytes, from + 1);
    if (count < 1 || count > MOST) {
      throw wrong(bytes, from, to);
    }
    for (int i = 0; i < count; i++) {
      int next = line(bytes, end, to);
      if (next < 0) {
        return -1;
      }
      if (bytes[end] != ':') {
        throw wrong(bytes, from, to);
      }
      numbers[i] = number(bytes, end + 1);
      end = next;
    }
    return end;
  }

  private boolean allowed(byte[] bytes, int from, int end) throws WrongReply {
    byte type = bytes[from];
    switch (form) {
      case PONG -> {
        if (type == '+') {
          return true;
        }
      }
      case ONE -> {
        if (type == ':' && number(bytes, from + 1) == 1) {
          return true;
        }
      }
      case THROTTLE -> {
        if (type == '*' && bytes[from + 1] == '5' && numbers[0] >> 1 == 0) {
          return numbers[0] == 0;
        }
      }
      case HIT -> {
        if (type == '*' && bytes[from + 1] == '6' && numbers[0] >> 1 == 0 && numbers[5] == 0) {
          return numbers[0] == 1;
        }
      }
    }
    throw wrong(bytes, from, end);
  }

  private WrongReply wrong(byte[] bytes, int from, int to) {
    return new WrongReply("an answer must have the form " + form, bytes, from, to);
  }

  private static int line(byte[] bytes, int from, int to) {
    for (int i = from + 1; i < to; i++) {
      if (bytes[i] == '\n') {
        return i + 1;
      }
    }
    return -1;
  }

  private static long number(byte[] bytes, int from) {
    boolean negative = bytes[from] == '-';
    long number = 0;
    for (int i = negative ? from + 1 : from; bytes[i] >= '0' && bytes[i] <= '9'; i++) {
      number = number * 10 + bytes[i] - '0';
    }
    return negative ? -number : number;
  }
}
