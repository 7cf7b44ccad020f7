package dev.stint;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A unit of time in a rate string, with the words for it. */
enum RateUnit {
  MICROSECOND(1, "us", "us", "microsecond microseconds"),
  MILLISECOND(1_000, "ms", "ms", "millisecond milliseconds milli millis"),
  SECOND(1_000_000, "second", "seconds", "s sec secs"),
  MINUTE(60 * SECOND.micros, "minute", "minutes", "min mins"),
  HOUR(60 * MINUTE.micros, "hour", "hours", "h hr hrs"),
  DAY(24 * HOUR.micros, "day", "days", "d"),
  WEEK(7 * DAY.micros, "week", "weeks", ""),
  MONTH(30 * DAY.micros, "month", "months", ""),
  YEAR(365 * DAY.micros, "year", "years", "");

  /**
   * What a misspelt unit may have been meant as, the likeliest first. Long words only: a slip in a
   * short one is as near to another as to itself, and {@code m} should not become {@code ms}.
   */
  static final List<String> SUGGESTED =
      List.of(
          "second", "minute", "hour", "day", "week", "month", "year", "millisecond", "microsecond");

  private static final Map<String, RateUnit> BY_WORD = byWord();

  final long micros;
  final String one;
  final String many;
  private final String others;

  RateUnit(long micros, String one, String many, String others) {
    this.micros = micros;
    this.one = one;
    this.many = many;
    this.others = others;
  }

  private static Map<String, RateUnit> byWord() {
    Map<String, RateUnit> units = new HashMap<>();
    for (RateUnit unit : values()) {
      for (String word : (unit.one + " " + unit.many + " " + unit.others).trim().split(" ", -1)) {
        units.put(word, unit);
      }
    }
    return Map.copyOf(units);
  }

  /** The units' names, for a message. */
  static String listed() {
    return Arrays.stream(values()).map(unit -> unit.one).collect(Collectors.joining(", "));
  }

  /** The unit a word in lower case stands for, or null. */
  static @Nullable RateUnit of(String word) {
    return BY_WORD.get(word);
  }

  /**
   * The largest unit that a time is a whole number of; a week at most, for how long a month or a
   * year is taken to be should be read in days.
   */
  static RateUnit largestIn(long micros) {
    RateUnit largest = MICROSECOND;
    for (RateUnit unit : values()) {
      if (unit.compareTo(WEEK) <= 0 && micros % unit.micros == 0) {
        largest = unit;
      }
    }
    return largest;
  }
}
