package dev.stint.server.text;

import java.util.Locale;

/** How long somebody has to wait, never told too short. */
public final class Wait {

  private static final long TENTH = 100_000;
  private static final long MINUTE = 60;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;

  private Wait() {}

  /** Microseconds in the one or two units that matter, such as {@code 59 min 10 s}. */
  public static String of(long micros) {
    long tenths = Math.max(1, up(micros, TENTH));
    if (tenths < 10 * MINUTE) {
      return String.format(Locale.ROOT, "%.1f s", tenths / 10.0);
    }
    long seconds = up(tenths, 10);
    if (seconds < HOUR) {
      return two(seconds, MINUTE, "min", 1, "s");
    }
    long minutes = up(seconds, MINUTE) * MINUTE;
    return minutes < DAY
        ? two(minutes, HOUR, "h", MINUTE, "min")
        : two(up(seconds, HOUR) * HOUR, DAY, "d", HOUR, "h");
  }

  private static long up(long length, long unit) {
    return Math.floorDiv(length, unit) + (Math.floorMod(length, unit) == 0 ? 0 : 1);
  }

  private static String two(long seconds, long large, String name, long small, String smallName) {
    long rest = seconds % large / small;
    return seconds / large + " " + name + (rest == 0 ? "" : " " + rest + " " + smallName);
  }
}
