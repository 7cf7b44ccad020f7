package dev.stint.server.config;

import dev.stint.Limit;
import dev.stint.Spelling;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Reads single values. What is wrong is said as the end of a sentence that begins with a name. */
final class Scalars {

  private static final Map<String, Integer> SIZES =
      Map.of("", 0, "B", 0, "KiB", 10, "MiB", 20, "GiB", 30);

  private static final List<String> SIZE_WORDS = List.of("KiB", "MiB", "GiB", "B");

  private Scalars() {}

  static boolean flag(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      case "yes", "on" -> throw wrong("must be true or false", text, "; did you mean 'true'?");
      case "no", "off" -> throw wrong("must be true or false", text, "; did you mean 'false'?");
      default ->
          throw wrong(
              "must be true or false", text, Spelling.hint(text, List.of("true", "false"), ""));
    };
  }

  static long number(String text, long least, long most) {
    long number = digits(text);
    if (number < least || number > most) {
      throw wrong("must be a whole number from " + least + " to " + most, text, "");
    }
    return number;
  }

  /** The number of plain digits; -1 if they are none, or too many. */
  private static long digits(String text) {
    boolean plain = !text.isEmpty() && text.length() <= 18;
    for (int i = 0; i < text.length(); i++) {
      plain &= text.charAt(i) >= '0' && text.charAt(i) <= '9';
    }
    return plain ? Long.parseLong(text) : -1;
  }

  static int size(String text, int least, int most) {
    int end = 0;
    while (end < text.length() && Character.isDigit(text.charAt(end))) {
      end++;
    }
    String word = text.substring(end).strip();
    Integer shift = SIZES.get(word);
    if (shift == null) {
      throw wrong(
          "must be a size in B, KiB, MiB or GiB", text, Spelling.hint(word, SIZE_WORDS, ""));
    }
    long number = digits(text.substring(0, end));
    if (number < 0 || number > most >> shift || number << shift < least) {
      throw wrong("must be a size from " + size(least) + " to " + size(most), text, "");
    }
    return Math.toIntExact(number << shift);
  }

  private static String size(int bytes) {
    return bytes % (1 << 20) == 0
        ? (bytes >> 20) + "MiB"
        : bytes % (1 << 10) == 0 ? (bytes >> 10) + "KiB" : bytes + "B";
  }

  /** A duration in the words of a rate's window, such as {@code 25ms} or {@code 10 seconds}. */
  static Duration duration(String text, Duration least, Duration most) {
    if (text.isEmpty() || !Character.isDigit(text.charAt(0))) {
      throw wrong("must be a duration such as 25ms, 10s or 5 minutes", text, "");
    }
    if (text.equals("0")) {
      return within(Duration.ZERO, text, least, most);
    }
    boolean isZero = text.charAt(0) == '0' && !Character.isDigit(text.charAt(1));
    String start = "1/";
    Limit limit = // no window is zero, but its unit can be read
        LimitText.read(start + (isZero ? "1" + text.substring(1) : text), start.length());
    if (!limit.equals(Limit.tokenBucket(1, limit.window()))) {
      throw wrong("must be a duration such as 25ms, 10s or 5 minutes", text, "");
    }
    return within(isZero ? Duration.ZERO : limit.window(), text, least, most);
  }

  private static Duration within(Duration duration, String text, Duration least, Duration most) {
    if (duration.compareTo(least) < 0 || duration.compareTo(most) > 0) {
      throw wrong("must be from " + shown(least) + " to " + shown(most), text, "");
    }
    return duration;
  }

  private static String shown(Duration duration) {
    return duration.toMillis() % 1000 == 0
        ? duration.toSeconds() + "s"
        : duration.toMillis() + "ms";
  }

  static <T> T choice(String text, Map<String, T> choices) {
    T choice = choices.get(text);
    if (choice == null) {
      List<String> words = List.copyOf(choices.keySet());
      throw wrong(
          "must be one of " + String.join(", ", words), text, Spelling.hint(text, words, ""));
    }
    return choice;
  }

  static IllegalArgumentException wrong(String must, String was, String cure) {
    return new IllegalArgumentException(must + ": " + Quote.of(was) + cure);
  }
}
