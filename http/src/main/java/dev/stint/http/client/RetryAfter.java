package dev.stint.http.client;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** Reads {@code Retry-After}: seconds, or a date in one of the three forms that HTTP has had. */
final class RetryAfter {

  private static final long MICROS = 1_000_000;

  /** Longer than anybody waits, and far from where sums overflow. */
  private static final long MOST_SECONDS = Long.MAX_VALUE / MICROS / 4;

  /** Two digits of a year are of the hundred years around now. */
  private static final int YEARS_AHEAD = 50;

  private RetryAfter() {}

  /** The wait in microseconds, 0 if it is over; empty if the text is neither seconds nor date. */
  static OptionalLong micros(String text, long wallMicros) {
    String value = text.strip();
    if (!value.isEmpty() && value.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return OptionalLong.of(seconds(value) * MICROS);
    }
    Instant now = Instant.EPOCH.plus(wallMicros, ChronoUnit.MICROS);
    for (DateTimeFormatter format : formats(now)) {
      try {
        Instant date = LocalDateTime.parse(value, format).toInstant(ZoneOffset.UTC);
        long wait = TimeUnit.MICROSECONDS.convert(Duration.between(now, date));
        return OptionalLong.of(Math.min(Math.max(0, wait), MOST_SECONDS * MICROS));
      } catch (DateTimeParseException e) {
        // Then another form, or none.
      }
    }
    return OptionalLong.empty();
  }

  private static long seconds(String digits) {
    try {
      return Math.min(MOST_SECONDS, Long.parseLong(digits));
    } catch (NumberFormatException e) {
      return MOST_SECONDS; // too many digits
    }
  }

  private static List<DateTimeFormatter> formats(Instant now) {
    int firstYear = now.atOffset(ZoneOffset.UTC).getYear() - YEARS_AHEAD;
    DateTimeFormatter withTwoDigits =
        new DateTimeFormatterBuilder()
            .appendPattern("EEEE, dd-MMM-")
            .appendValueReduced(ChronoField.YEAR, 2, 2, firstYear)
            .appendPattern(" HH:mm:ss 'GMT'")
            .toFormatter(Locale.ENGLISH);
    return List.of(
        DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.ENGLISH),
        withTwoDigits,
        DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss uuuu", Locale.ENGLISH));
  }
}
