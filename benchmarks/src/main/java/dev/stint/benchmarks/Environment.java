package dev.stint.benchmarks;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

/** Where and how a run was made. */
public record Environment(Map<String, String> facts) {

  /** Above this many busy processors besides ours the figures are doubtful. */
  private static final double BUSY = 0.5;

  /**
   * Looks around.
   *
   * @param pace how much is measured, in words
   * @param collector the garbage collector and its heap, in words
   */
  public static Environment here(boolean quick, String pace, String collector) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    facts.put("mode", quick ? "quick" : "full");
    facts.put("pace", pace);
    facts.put("java", System.getProperty("java.vendor") + " " + Runtime.version());
    facts.put("collector", collector);
    facts.put("processors", Runtime.getRuntime().availableProcessors() + " × " + processor());
    facts.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("huge pages", read(Path.of("/sys/kernel/mm/transparent_hugepage/enabled")).strip());
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    facts.put(
        "load before",
        "%.2f%s".formatted(load, load > BUSY ? ": the machine was busy, do not trust this" : ""));
    return new Environment(facts);
  }

  /** The same with one more fact. */
  Environment with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(facts);
    more.put(name, value);
    return new Environment(more);
  }

  private static String processor() {
    return read(Path.of("/proc/cpuinfo"))
        .lines()
        .filter(line -> line.startsWith("model name"))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse(System.getProperty("os.arch"));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return "unknown";
    }
  }
}
