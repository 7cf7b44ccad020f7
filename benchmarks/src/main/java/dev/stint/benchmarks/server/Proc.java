package dev.stint.benchmarks.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What Linux tells of processes and of the machine. */
final class Proc {

  /** The unit of times in {@code /proc}, everywhere. */
  private static final double TICK_SECONDS = 0.01;

  private static final Path ROOT = Path.of("/proc");

  private Proc() {}

  /** Seconds of processor time that a process has used, the system's part included. */
  static double cpuSeconds(long pid) throws IOException {
    return cpuSeconds(Files.readString(ROOT.resolve(pid + "/stat")), false);
  }

  /** The same of this process and of all its children that have ended. */
  static double ownCpuSeconds() throws IOException {
    return cpuSeconds(Files.readString(ROOT.resolve("self/stat")), true);
  }

  /** Reads a line of {@code stat}; the name of the program may hold anything, so it is skipped. */
  static double cpuSeconds(String stat, boolean children) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    long ticks = 0;
    for (int i = 11; i < (children ? 15 : 13); i++) {
      ticks += Long.parseLong(fields[i]);
    }
    return ticks * TICK_SECONDS;
  }

  /** A field of {@code status} in megabytes of a million bytes, such as {@code VmRSS}. */
  static double megabytes(long pid, String field) throws IOException {
    return megabytes(Files.readString(ROOT.resolve(pid + "/status")), field);
  }

  static double megabytes(String status, String field) {
    Matcher line = Pattern.compile("(?m)^" + field + ":\\s+(\\d+) kB$").matcher(status);
    if (!line.find()) {
      throw new IllegalArgumentException("status must have the field " + field + ": " + status);
    }
    return Long.parseLong(line.group(1)) * 1024 / 1e6;
  }

  /** Seconds of processor time that the whole machine has used, and that others took from it. */
  record Machine(double busy, double stolen) {

    static Machine now() throws IOException {
      return of(Files.readString(ROOT.resolve("stat")));
    }

    static Machine of(String stat) {
      String[] fields = stat.lines().findFirst().orElseThrow().trim().split(" +", -1);
      long busy = 0;
      for (int i : new int[] {1, 2, 3, 6, 7}) {
        busy += Long.parseLong(fields[i]);
      }
      return new Machine(busy * TICK_SECONDS, Long.parseLong(fields[8]) * TICK_SECONDS);
    }
  }
}
