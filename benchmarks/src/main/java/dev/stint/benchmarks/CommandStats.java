package dev.stint.benchmarks;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How often a Redis server has run each command and how long that took, by {@code INFO
 * commandstats}. What a script runs is counted too, beside the script itself.
 */
record CommandStats(Map<String, Count> counts) {

  /** Of one command: its calls, and the microseconds the server spent on them. */
  record Count(long calls, long micros) {

    private Count plus(Count other, int sign) {
      return new Count(calls + sign * other.calls, micros + sign * other.micros);
    }
  }

  static final CommandStats NONE = new CommandStats(Map.of());

  private static final Count NEVER = new Count(0, 0);
  private static final Pattern LINE =
      Pattern.compile("(?m)^cmdstat_([^:\\s]+):calls=(\\d+),usec=(\\d+),");

  /** Reads the server's answer. */
  static CommandStats parse(String info) {
    Map<String, Count> counts = new TreeMap<>();
    Matcher line = LINE.matcher(info);
    while (line.find()) {
      counts.put(
          line.group(1), new Count(Long.parseLong(line.group(2)), Long.parseLong(line.group(3))));
    }
    if (counts.isEmpty()) {
      throw new IllegalArgumentException(
          "INFO commandstats must have lines such as cmdstat_get:calls=1,usec=2,…: " + info);
    }
    return new CommandStats(counts);
  }

  /** What has been run since {@code before}. */
  CommandStats since(CommandStats before) {
    return combined(before, -1);
  }

  CommandStats plus(CommandStats other) {
    return combined(other, 1);
  }

  private CommandStats combined(CommandStats other, int sign) {
    Map<String, Count> all = new TreeMap<>(counts);
    other.counts.forEach((name, count) -> all.put(name, of(name).plus(count, sign)));
    return new CommandStats(all);
  }

  private Count of(String command) {
    return counts.getOrDefault(command, NEVER);
  }

  long calls(String command) {
    return of(command).calls;
  }

  /** Calls of scripts, by digest and by text, and of functions. */
  long scripts() {
    return calls("fcall") + calls("evalsha") + calls("eval");
  }

  /** What those took in the server, with all that they ran. */
  long scriptMicros() {
    return of("fcall").micros + of("evalsha").micros + of("eval").micros;
  }
}
