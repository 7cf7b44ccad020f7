package dev.stint.benchmarks.server;

import dev.stint.benchmarks.Json;
import dev.stint.benchmarks.MarkdownTable;
import dev.stint.benchmarks.Report;
import dev.stint.benchmarks.Spread;
import dev.stint.benchmarks.server.Figures.Allocation;
import dev.stint.benchmarks.server.Figures.Latency;
import dev.stint.benchmarks.server.Figures.Throughput;
import dev.stint.benchmarks.server.Rounds.Round;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Says what a run of the service has measured: in Markdown for people, in JSON for programs. */
final class ServerReport {

  private final Figures figures;
  private final ServerTargets targets;

  ServerReport(Figures figures) {
    this.figures = figures;
    this.targets = new ServerTargets(figures);
  }

  String markdown() {
    StringBuilder text = new StringBuilder("# The service, and its floors\n\n");
    figures.environment().facts().forEach((k, v) -> text.append("- %s: %s%n".formatted(k, v)));
    Report.section(text, "Targets", "", Report.targets(targets.all()));
    if (!targets.reasons().isEmpty()) {
      text.append("\nMissed:\n\n");
      targets.reasons().forEach(reason -> text.append("- ").append(reason).append('\n'));
    }
    Report.section(
        text,
        "As fast as answers come",
        "The median of the rounds (least–most). Processor time is that of the server's process.",
        throughput());
    Report.section(
        text,
        "At fixed rates",
        "Microseconds from the moment a request was due: the median of the rounds (least–most).",
        latencies());
    Report.section(text, "Allocated by the event loops", "Bytes per request.", allocations());
    Report.section(text, "The process", "", process());
    return text.toString();
  }

  private MarkdownTable throughput() {
    MarkdownTable table = new MarkdownTable("wire");
    for (Throughput one : figures.throughput()) {
      for (Contestant contestant : one.contest().contestants()) {
        String label = contestant.label();
        String row = one.contest().label() + ": " + label;
        table
            .put(row, "per second", spread("%,.0f", one.rounds().of(label, Round::perSecond)))
            .put(row, "to the floor", ratio(one, contestant))
            .put(row, "p99, µs", number("%.0f", one.rounds().of(label, Round::p99Micros).median()));
        double cpu = one.rounds().cpuMicros(label);
        if (!Double.isNaN(cpu)) {
          table.put(row, "processor time, µs", number("%.2f", cpu));
        }
      }
    }
    return table;
  }

  private static String ratio(Throughput one, Contestant contestant) {
    return contestant.equals(one.contest().floor())
        ? "1"
        : spread(
            "%.2f",
            one.rounds()
                .ratio(contestant.label(), one.contest().floor().label(), Round::perSecond));
  }

  private MarkdownTable latencies() {
    MarkdownTable table = new MarkdownTable("wire");
    for (Latency one : figures.latencies()) {
      for (String label : one.rounds().labels()) {
        String row = number("%s at %.0f %%: %s", one.contest().label(), one.share() * 100, label);
        table
            .put(row, "asked per second", number("%,.0f", one.perSecond()))
            .put(row, "p50", spread("%.0f", one.rounds().of(label, Round::p50Micros)))
            .put(row, "p99", spread("%.0f", one.rounds().of(label, Round::p99Micros)))
            .put(row, "p99.9", spread("%.0f", one.rounds().of(label, Round::p999Micros)));
      }
    }
    return table;
  }

  private MarkdownTable allocations() {
    MarkdownTable table = new MarkdownTable("command");
    for (Allocation one : figures.allocations()) {
      String column = one.depth() == 1 ? "one at a time" : one.depth() + " pipelined";
      table.put("PING", column, number("%.1f", one.ofPing()));
      table.put(one.command(), column, number("%.1f", one.bytes()));
    }
    return table;
  }

  private MarkdownTable process() {
    MarkdownTable table = new MarkdownTable("what");
    figures
        .memory()
        .ifPresent(
            memory ->
                table
                    .put("memory at the start, MB", "is", number("%.0f", memory.before()))
                    .put(
                        number("memory with %,d live keys, MB", memory.keys()),
                        "is",
                        number("%.0f", memory.after()))
                    .put("memory at the most, MB", "is", number("%.0f", memory.most())));
    figures
        .firstAnswer()
        .ifPresent(spread -> table.put("first answer, ms", "is", spread("%.0f", spread)));
    return table;
  }

  private static String spread(String format, Spread spread) {
    return number(
        format + " (" + format + "–" + format + ")", spread.median(), spread.low(), spread.high());
  }

  private static String number(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  String json() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("environment", figures.environment().facts());
    all.put("targets", Report.json(targets.all()));
    all.put("missed", targets.reasons());
    List<Object> closed = new ArrayList<>();
    for (Throughput one : figures.throughput()) {
      for (String label : one.rounds().labels()) {
        closed.add(round(one.contest().id(), label, one.rounds()));
      }
    }
    all.put("throughput", closed);
    List<Object> open = new ArrayList<>();
    for (Latency one : figures.latencies()) {
      for (String label : one.rounds().labels()) {
        Map<String, Object> row = round(one.contest().id(), label, one.rounds());
        row.put("share", one.share());
        row.put("askedPerSecond", one.perSecond());
        open.add(row);
      }
    }
    all.put("fixedRates", open);
    all.put(
        "allocations",
        figures.allocations().stream()
            .map(
                one ->
                    Report.map(
                        "command", one.command(),
                        "depth", one.depth(),
                        "bytes", one.bytes(),
                        "bytesOfPing", one.ofPing()))
            .toList());
    figures
        .memory()
        .ifPresent(
            memory ->
                all.put(
                    "memory",
                    Report.map(
                        "keys", memory.keys(),
                        "megabytesBefore", memory.before(),
                        "megabytes", memory.after(),
                        "megabytesAtMost", memory.most())));
    figures.firstAnswer().ifPresent(spread -> all.put("firstAnswerMillis", spread.median()));
    return Json.write(all);
  }

  private static Map<String, Object> round(String id, String label, Rounds rounds) {
    return Report.map(
        "id", id,
        "who", label,
        "perSecond", rounds.of(label, Round::perSecond).median(),
        "p50Micros", rounds.of(label, Round::p50Micros).median(),
        "p99Micros", rounds.of(label, Round::p99Micros).median(),
        "p999Micros", rounds.of(label, Round::p999Micros).median(),
        "cpuMicros", rounds.cpuMicros(label));
  }
}
