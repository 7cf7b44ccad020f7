package dev.stint.benchmarks.server;

import dev.stint.benchmarks.Environment;
import dev.stint.benchmarks.Json;
import dev.stint.benchmarks.MarkdownTable;
import dev.stint.benchmarks.Report;
import dev.stint.benchmarks.Spread;
import dev.stint.benchmarks.Target;
import dev.stint.benchmarks.server.Rounds.Round;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reports how a new build of the service compares with an old one. */
final class ServerComparison {

  static final String OLD = "old";
  static final String NEW = "new";

  /** The part of the old build's answers per second that the new one must reach. */
  static final double LEAST = 0.95;

  /**
   * What one wire came to.
   *
   * @param closed as fast as the services answered
   * @param half the fixed rate at which {@code open} was measured
   */
  record Row(String wire, Rounds closed, double half, Rounds open) {

    /** New to old, of each round: whatever else the machine does meets both of a round. */
    Spread throughput() {
      return closed.ratio(NEW, OLD, Round::perSecond);
    }

    Spread p99() {
      return open.ratio(NEW, OLD, Round::p99Micros);
    }

    double cpu() {
      return closed.cpuMicros(NEW) / closed.cpuMicros(OLD);
    }
  }

  private final Environment environment;
  private final List<Row> rows;

  ServerComparison(Environment environment, List<Row> rows) {
    this.environment = environment;
    this.rows = List.copyOf(rows);
  }

  List<Target> targets() {
    return rows.stream()
        .map(
            row ->
                Target.atLeast(
                    row.wire() + ": answers per second, new to old",
                    LEAST,
                    Optional.of(row.throughput().median()),
                    "%.3f"))
        .toList();
  }

  String markdown() {
    StringBuilder text = new StringBuilder("# Two builds of the service\n\n");
    environment.facts().forEach((k, v) -> text.append("- %s: %s%n".formatted(k, v)));
    Report.section(text, "Targets", "", Report.targets(targets()));
    Report.section(
        text,
        "Throughput",
        "Answers per second, the median of the rounds. The ratio is the median of the rounds'"
            + " ratios. Processor time is that of the service per request, over all rounds; it"
            + " changes less than throughput when others use the machine.",
        throughput());
    Report.section(
        text,
        "Latency at half of the highest rate",
        "Microseconds, the median of the rounds, timed from when a request was due.",
        latency());
    return text.toString();
  }

  private MarkdownTable throughput() {
    MarkdownTable table = new MarkdownTable("wire");
    for (Row row : rows) {
      Spread ratio = row.throughput();
      table
          .put(row.wire(), "old/s", perSecond(row, OLD))
          .put(row.wire(), "new/s", perSecond(row, NEW))
          .put(row.wire(), "new/old", number("%.3f", ratio.median()))
          .put(row.wire(), "min…max", number("%.3f…%.3f", ratio.low(), ratio.high()))
          .put(row.wire(), "old, CPU µs", number("%.1f", row.closed().cpuMicros(OLD)))
          .put(row.wire(), "new, CPU µs", number("%.1f", row.closed().cpuMicros(NEW)))
          .put(row.wire(), "CPU new/old", number("%.3f", row.cpu()));
    }
    return table;
  }

  private MarkdownTable latency() {
    MarkdownTable table = new MarkdownTable("wire");
    for (Row row : rows) {
      table
          .put(row.wire(), "per second", number("%.0f", row.half()))
          .put(row.wire(), "old p50", micros(row, OLD, Round::p50Micros))
          .put(row.wire(), "new p50", micros(row, NEW, Round::p50Micros))
          .put(row.wire(), "old p99", micros(row, OLD, Round::p99Micros))
          .put(row.wire(), "new p99", micros(row, NEW, Round::p99Micros))
          .put(row.wire(), "p99 new/old", number("%.2f", row.p99().median()));
    }
    return table;
  }

  private static String perSecond(Row row, String build) {
    return number("%,.0f", row.closed().of(build, Round::perSecond).median());
  }

  private static String micros(
      Row row, String build, java.util.function.ToDoubleFunction<Round> percentile) {
    return number("%.0f", row.open().of(build, percentile).median());
  }

  String json() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("environment", environment.facts());
    all.put("targets", Report.json(targets()));
    all.put("wires", rows.stream().map(ServerComparison::json).toList());
    return Json.write(all);
  }

  private static Map<String, Object> json(Row row) {
    Spread ratio = row.throughput();
    return Report.map(
        "wire", row.wire(),
        "oldPerSecond", row.closed().of(OLD, Round::perSecond).median(),
        "newPerSecond", row.closed().of(NEW, Round::perSecond).median(),
        "ratio", ratio.median(),
        "leastRatio", ratio.low(),
        "mostRatio", ratio.high(),
        "oldCpuMicros", row.closed().cpuMicros(OLD),
        "newCpuMicros", row.closed().cpuMicros(NEW),
        "halfRate", row.half(),
        "oldP99Micros", row.open().of(OLD, Round::p99Micros).median(),
        "newP99Micros", row.open().of(NEW, Round::p99Micros).median(),
        "p99Ratio", row.p99().median());
  }

  private static String number(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
