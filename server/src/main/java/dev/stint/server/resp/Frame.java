package dev.stint.server.resp;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One request: where its arguments lie in the bytes that were received.
 *
 * <p>It is used again for each request, and nothing is copied out of the bytes. Nothing is
 * remembered of a request that is not complete either: it is read again from its start when more
 * has come. That is cheap, as bulk strings are jumped over.
 */
final class Frame {

  /** What {@link #read} found. */
  enum Found {
    REQUEST,
    /** A request without a word, which gets no answer. */
    NOTHING,
    /** The beginning of a request. */
    PART,
    /** Something that {@link #error} describes; what follows cannot be understood. */
    NONSENSE
  }

  static final int MOST_ARGUMENTS = 64;

  private static final int LONGEST_NUMBER = 20;
  private static final long NO_NUMBER = Long.MIN_VALUE;
  private static final long UNFINISHED = Long.MIN_VALUE + 1;

  private final int mostBytes;
  private final int[] starts = new int[MOST_ARGUMENTS];
  private final int[] lengths = new int[MOST_ARGUMENTS];
  private byte[] bytes = {};
  private int count;
  private int end;
  private String error = "";

  Frame(int mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** Reads the request that begins at {@code from}. */
  Found read(byte[] received, int from, int to) {
    bytes = received;
    count = 0;
    end = from;
    if (from == to) {
      return Found.PART;
    }
    return received[from] == '*' ? readArray(from, to) : readLine(from, to);
  }

  private Found readArray(int from, int to) {
    long arguments = number(from + 1, to);
    if (arguments == UNFINISHED) {
      return Found.PART;
    }
    if (arguments == NO_NUMBER || arguments > MOST_ARGUMENTS) {
      return nonsense("invalid multibulk length, it must be at most " + MOST_ARGUMENTS);
    }
    for (int i = 0; i < arguments; i++) {
      if (end == to) {
        return Found.PART;
      }
      if (bytes[end] != '$') {
        return nonsense("expected '$', got '" + Words.of(bytes, end, 1) + "'");
      }
      long length = number(end + 1, to);
      if (length == UNFINISHED) {
        return Found.PART;
      }
      // What came before counts too, so that a request is bounded as a whole.
      if (length < 0 || length > mostBytes - (end - from)) {
        return nonsense("invalid bulk length, a request must have at most " + mostBytes + " bytes");
      }
      int start = end;
      end += (int) length;
      if (to - end < 2) {
        return Found.PART;
      }
      if (bytes[end] != '\r' || bytes[end + 1] != '\n') {
        return nonsense("expected CRLF after a bulk string");
      }
      end += 2;
      starts[i] = start;
      lengths[i] = (int) length;
    }
    count = (int) Math.max(0, arguments);
    return count == 0 ? Found.NOTHING : Found.REQUEST;
  }

  /** The number up to the end of its line; {@link #end} is then behind it. */
  private long number(int from, int to) {
    boolean negative = from < to && bytes[from] == '-';
    int start = negative ? from + 1 : from;
    long value = 0;
    for (int i = start; i < to; i++) {
      byte digit = bytes[i];
      if (digit == '\r' && i > start) {
        if (i + 1 == to) {
          return UNFINISHED;
        }
        end = i + 2;
        return bytes[i + 1] != '\n' ? NO_NUMBER : negative ? -value : value;
      }
      if (digit < '0' || digit > '9' || value > Integer.MAX_VALUE || i - start > LONGEST_NUMBER) {
        return NO_NUMBER;
      }
      value = value * 10 + (digit - '0');
    }
    return UNFINISHED;
  }

  /** A request as a person types it. It need not be quick, so its words are copied. */
  private Found readLine(int from, int to) {
    int newline = from;
    while (newline < to && bytes[newline] != '\n') {
      newline++;
    }
    if (newline - from > mostBytes) {
      return nonsense("too big inline request, it must have at most " + mostBytes + " bytes");
    }
    if (newline == to) {
      return Found.PART;
    }
    end = newline + 1;
    Line line = new Line(bytes, from, newline);
    if (!line.split(starts, lengths)) {
      return nonsense(
          "an inline request must have at most " + MOST_ARGUMENTS + " words and balanced quotes");
    }
    bytes = line.words();
    count = line.count();
    return count == 0 ? Found.NOTHING : Found.REQUEST;
  }

  private Found nonsense(String what) {
    error = "ERR Protocol error: " + what;
    return Found.NONSENSE;
  }

  /** Why it is nonsense. */
  String error() {
    return error;
  }

  /** Where the next request begins. */
  int end() {
    return end;
  }

  /** How many arguments it has, the command's name included. */
  int count() {
    return count;
  }

  int length(int argument) {
    return lengths[argument];
  }

  byte at(int argument, int position) {
    return bytes[starts[argument] + position];
  }

  /** Copies an argument to an array of its length. */
  byte[] copy(int argument, byte[] target) {
    System.arraycopy(bytes, starts[argument], target, 0, lengths[argument]);
    return target;
  }

  /** Whether an argument is this text. */
  boolean is(int argument, byte[] text) {
    int start = starts[argument];
    return Arrays.equals(bytes, start, start + lengths[argument], text, 0, text.length);
  }

  /** Whether an argument begins with this text. */
  boolean startsWith(int argument, byte[] text) {
    int start = starts[argument];
    return lengths[argument] >= text.length
        && Arrays.equals(bytes, start, start + text.length, text, 0, text.length);
  }

  /** Whether an argument is this word of small letters, whatever its letters are. */
  boolean isWord(int argument, byte[] word) {
    if (lengths[argument] != word.length) {
      return false;
    }
    int start = starts[argument];
    for (int i = 0; i < word.length; i++) {
      byte b = bytes[start + i];
      if ((b >= 'A' && b <= 'Z' ? b + ('a' - 'A') : b) != word[i]) {
        return false;
      }
    }
    return true;
  }

  /** An argument as text, for what is not asked often. */
  String text(int argument) {
    return new String(bytes, starts[argument], lengths[argument], StandardCharsets.UTF_8);
  }

  /** An argument as part of a sentence: short and harmless. */
  String quoted(int argument) {
    return "'" + Words.of(bytes, starts[argument], lengths[argument]) + "'";
  }

  /** An argument as a whole number; {@code otherwise} if it is none or has more than 18 digits. */
  long number(int argument, long otherwise) {
    int at = starts[argument];
    int behind = at + lengths[argument];
    boolean negative = at < behind && bytes[at] == '-';
    if (negative) {
      at++;
    }
    if (at == behind || behind - at > 18) {
      return otherwise;
    }
    long value = 0;
    for (; at < behind; at++) {
      int digit = bytes[at] - '0';
      if (digit < 0 || digit > 9) {
        return otherwise;
      }
      value = value * 10 + digit;
    }
    return negative ? -value : value;
  }
}
