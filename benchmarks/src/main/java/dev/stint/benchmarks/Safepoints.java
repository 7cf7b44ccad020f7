package dev.stint.benchmarks;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads from the JVM's log when it stopped all threads to collect garbage. */
final class Safepoints {

  private static final Pattern LINE =
      Pattern.compile("\\[(\\d+)ns\\].* Safepoint \"([^\"]+)\".* Total: +(\\d+) ns");

  private Safepoints() {}

  /** The option that makes the JVM write the log, with the time that {@code nanoTime} shows. */
  static String logging(Path log) {
    return "-Xlog:safepoint=info:file=" + log + ":timenanos:filecount=0";
  }

  /** The pauses in a log. A line is written when its pause is over. */
  static Stalls collections(String log) {
    Stalls stalls = new Stalls();
    Matcher matcher = LINE.matcher(log);
    while (matcher.find()) {
      if (isCollection(matcher.group(2))) {
        long end = Long.parseLong(matcher.group(1));
        stalls.add(end - Long.parseLong(matcher.group(3)), end);
      }
    }
    return stalls;
  }

  private static boolean isCollection(String operation) {
    return operation.contains("G1") || operation.contains("GC") || operation.contains("Collect");
  }
}
