package dev.stint.studio.log;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Reads moments as logs write them: {@code 10/Oct/2000:13:55:36 -0700}, ISO 8601, or a number of
 * seconds, milliseconds, microseconds or nanoseconds since 1970, told apart by their size.
 *
 * <p>A log has one date for a long time, so a date is computed once and then recognised by its
 * bytes; hours, minutes and seconds are added to it.
 */
final class TimeText {

  /** No moment. */
  static final long NONE = Long.MIN_VALUE;

  /** The years that are believed; in between, seconds fit an int. */
  static final String YEARS = "2000 to 2067";

  private static final long EARLIEST = 946_684_800_000_000L;
  private static final long LATEST = 3_092_601_600_000_000L;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final String MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec";
  private static final long SECOND = 1_000_000;

  private long logDate;
  private long logYear;
  private int logZone;
  private byte logZoneEnd;
  private long logMidnight = NONE;

  private long isoDate;
  private long isoDay;
  private long isoMidnight = NONE;

  private boolean fractions;

  /** Whether a moment had a part of a second so far. */
  boolean hasFractions() {
    return fractions;
  }

  /** The moment in microseconds since 1970, or {@link #NONE}. */
  long read(byte[] b, int from, int to) {
    int length = to - from;
    long micros;
    if (length >= 26 && b[from + 2] == '/') {
      micros = ofLog(b, from, to);
    } else if (length >= 19 && b[from + 4] == '-') {
      micros = ofIso(b, from, to);
    } else {
      micros = ofNumber(b, from, to);
    }
    return micros >= EARLIEST && micros < LATEST ? micros : NONE;
  }

  private long ofLog(byte[] b, int from, int to) {
    long date = (long) LONGS.get(b, from);
    long year = (long) LONGS.get(b, from + 3);
    int zone = (int) INTS.get(b, to - 5);
    if (date != logDate || year != logYear || zone != logZone || b[to - 1] != logZoneEnd) {
      logMidnight = midnightOfLog(b, from, to);
      logDate = date;
      logYear = year;
      logZone = zone;
      logZoneEnd = b[to - 1];
    }
    if (logMidnight == NONE || b[from + 11] != ':' || b[to - 6] != ' ') {
      return NONE;
    }
    return sum(logMidnight, clock(b, from + 12), fraction(b, from + 20, to - 6));
  }

  private static long midnightOfLog(byte[] b, int from, int to) {
    int day = two(b, from);
    int month = month(b, from + 3);
    int year = two(b, from + 7) * 100 + two(b, from + 9);
    long zone = zone(b, to - 5, to);
    if (day < 1 || day > 31 || month == 0 || year < 0 || zone == NONE || b[from + 6] != '/') {
      return NONE;
    }
    return midnight(year, month, day) - zone;
  }

  private long ofIso(byte[] b, int from, int to) {
    long date = (long) LONGS.get(b, from);
    long day = (long) LONGS.get(b, from + 2);
    if (date != isoDate || day != isoDay) {
      isoMidnight = midnightOfIso(b, from);
      isoDate = date;
      isoDay = day;
    }
    int parted = b[from + 10];
    if (isoMidnight == NONE || (parted != 'T' && parted != 't' && parted != ' ')) {
      return NONE;
    }
    int zoneAt = from + 19;
    while (zoneAt < to && (isDigit(b[zoneAt]) || b[zoneAt] == '.' || b[zoneAt] == ',')) {
      zoneAt++;
    }
    long zone = zone(b, zoneAt < to && b[zoneAt] == ' ' ? zoneAt + 1 : zoneAt, to);
    long moment = sum(isoMidnight, clock(b, from + 11), fraction(b, from + 19, zoneAt));
    return moment == NONE || zone == NONE ? NONE : moment - zone;
  }

  private static long midnightOfIso(byte[] b, int from) {
    int year = two(b, from) * 100 + two(b, from + 2);
    int month = two(b, from + 5);
    int day = two(b, from + 8);
    boolean fine =
        b[from + 7] == '-' && year > 0 && month >= 1 && month <= 12 && day >= 1 && day <= 31;
    return fine ? midnight(year, month, day) : NONE;
  }

  /** Seconds have 10 digits in our days, milliseconds 13, and so on. */
  private long ofNumber(byte[] b, int from, int to) {
    int dot = from;
    long whole = 0;
    while (dot < to && isDigit(b[dot])) {
      if (dot - from > 18) {
        return NONE;
      }
      whole = whole * 10 + b[dot++] - '0';
    }
    int digits = dot - from;
    if (digits == 0 || (dot < to && b[dot] != '.')) {
      return NONE;
    }
    if (digits <= 11) {
      long fraction = fraction(b, dot, to);
      return sum(whole * SECOND, 0, fraction);
    }
    long micros = digits <= 14 ? whole * 1000 : digits <= 17 ? whole : whole / 1000;
    fractions |= micros % SECOND != 0;
    return fraction(b, dot, to) == NONE ? NONE : micros;
  }

  private long sum(long base, long clock, long fraction) {
    if (clock == NONE || fraction == NONE) {
      return NONE;
    }
    fractions |= fraction != 0;
    return base + clock + fraction;
  }

  /** {@code HH:MM:SS} in microseconds. */
  private static long clock(byte[] b, int at) {
    int hour = two(b, at);
    int minute = two(b, at + 3);
    int second = two(b, at + 6);
    // A leap second has the number 60.
    if (hour < 0 || minute < 0 || second < 0 || hour > 23 || minute > 59 || second > 60) {
      return NONE;
    }
    return b[at + 2] == ':' && b[at + 5] == ':'
        ? (hour * 3600L + minute * 60L + second) * SECOND
        : NONE;
  }

  /** Nothing, or a dot and digits, in microseconds; digits beyond those are cut off. */
  private static long fraction(byte[] b, int from, int to) {
    if (from >= to) {
      return 0;
    }
    if ((b[from] != '.' && b[from] != ',') || from + 1 == to) {
      return NONE;
    }
    long micros = 0;
    long unit = SECOND;
    for (int i = from + 1; i < to; i++) {
      if (!isDigit(b[i])) {
        return NONE;
      }
      unit /= 10;
      micros += unit * (b[i] - '0');
    }
    return micros;
  }

  /** Nothing or {@code Z} for UTC, {@code +02}, {@code +0200}, {@code +02:00}; in microseconds. */
  private static long zone(byte[] b, int from, int to) {
    int length = to - from;
    if (length <= 0 || (length == 1 && (b[from] == 'Z' || b[from] == 'z'))) {
      return 0;
    }
    boolean colon = length == 6 && b[from + 3] == ':';
    if ((b[from] != '+' && b[from] != '-') || (length != 3 && length != 5 && !colon)) {
      return NONE;
    }
    int hours = two(b, from + 1);
    int minutes = length == 3 ? 0 : two(b, to - 2);
    if (hours < 0 || minutes < 0 || hours > 18 || minutes > 59) {
      return NONE;
    }
    long east = (hours * 3600L + minutes * 60L) * SECOND;
    return b[from] == '-' ? -east : east;
  }

  private static long midnight(int year, int month, int day) {
    return java.time.LocalDate.of(year, month, 1).plusDays(day - 1L).toEpochDay() * 86_400 * SECOND;
  }

  private static int month(byte[] b, int at) {
    for (int i = 0; i < 12; i++) {
      if ((b[at] | 0x20) == MONTHS.charAt(3 * i)
          && (b[at + 1] | 0x20) == MONTHS.charAt(3 * i + 1)
          && (b[at + 2] | 0x20) == MONTHS.charAt(3 * i + 2)) {
        return i + 1;
      }
    }
    return 0;
  }

  /** A number of two digits; far below zero if it is none. */
  private static int two(byte[] b, int at) {
    return isDigit(b[at]) && isDigit(b[at + 1]) ? (b[at] - '0') * 10 + b[at + 1] - '0' : -10_000;
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }
}
