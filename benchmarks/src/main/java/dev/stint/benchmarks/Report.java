package dev.stint.benchmarks;

import dev.stint.benchmarks.Cell.Section;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Says what a run has measured: in Markdown for people, in JSON for programs. */
public final class Report {

  private final Results results;
  private final List<Target> targets;

  Report(Results results) {
    this.results = results;
    this.targets = Targets.of(results);
  }

  String markdown() {
    StringBuilder text = new StringBuilder("# Stint in memory, and its peers\n\n");
    results.environment().facts().forEach((k, v) -> text.append("- %s: %s%n".formatted(k, v)));
    section(text, "Targets", "", targets(targets));
    for (Section section : Section.values()) {
      section(
          text,
          section.title(),
          "Nanoseconds per hit and thread, making the key string included; T = threads.",
          nanos(section));
      section(
          text,
          section.title() + ": allocation",
          "Bytes per hit beyond the key string.",
          bytes(section));
    }
    section(
        text,
        "Retained",
        "Bytes per key after a full collection, in objects (in whole G1 regions).",
        retained());
    section(
        text,
        "Growing to 10 M keys",
        "Milliseconds; idle = a thread that does nothing, in the same run.",
        growth());
    return text.toString();
  }

  /** Adds a table under a title, unless it is empty. */
  public static void section(StringBuilder text, String title, String note, MarkdownTable table) {
    if (!table.isEmpty()) {
      text.append("\n## ").append(title).append("\n\n");
      text.append(note.isEmpty() ? "" : note + "\n\n").append(table);
    }
  }

  /** The targets as a table. */
  public static MarkdownTable targets(List<Target> targets) {
    MarkdownTable table = new MarkdownTable("target");
    for (Target target : targets) {
      table
          .put(target.name(), "must be", target.asked())
          .put(target.name(), "is", target.measured().orElse("–"))
          .put(target.name(), "verdict", target.verdict());
    }
    return table;
  }

  private MarkdownTable nanos(Section section) {
    MarkdownTable table = new MarkdownTable("ns/hit (fastest–slowest iteration)");
    for (Figure figure : results.figures()) {
      if (figure.cell().section() == section) {
        table.put(
            figure.cell().row(),
            figure.cell().column(),
            number("%.0f (%.0f–%.0f)", figure.nanos(), figure.low(), figure.high()));
      }
    }
    return table;
  }

  private MarkdownTable bytes(Section section) {
    MarkdownTable table = new MarkdownTable("B/hit");
    for (Figure figure : results.figures()) {
      if (figure.cell().section() == section) {
        results
            .allocated(figure)
            .ifPresent(
                bytes ->
                    table.put(
                        figure.cell().row(),
                        figure.cell().column(),
                        number("%.0f", rounded(bytes))));
      }
    }
    return table;
  }

  /** Without a minus before zero. */
  private static double rounded(double bytes) {
    return Math.round(bytes) + 0.0;
  }

  private MarkdownTable retained() {
    MarkdownTable table = new MarkdownTable("B/key");
    for (Retained one : results.retained()) {
      table.put(
          one.row(),
          number("%,d keys", one.keys()),
          number("%.1f (%.1f)", one.objects(), one.regions()));
    }
    return table;
  }

  private MarkdownTable growth() {
    MarkdownTable table = new MarkdownTable("slowest insert");
    for (Growth one : results.growth()) {
      table
          .put(one.row(), "as it was", millis(one.longest()))
          .put(one.row(), "GC pauses aside", millis(one.netOfCollections()))
          .put(one.row(), "idle stalls aside too", millis(one.net()))
          .put(one.row(), "idle thread's longest", millis(one.control()))
          .put(one.row(), "longest GC pause", millis(one.collection()))
          .put(one.row(), "mean insert", one.meanNanos() + " ns");
    }
    return table;
  }

  private static String millis(double value) {
    return number("%.2f", value);
  }

  private static String number(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  String json() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("environment", results.environment().facts());
    all.put("targets", json(targets));
    all.put("figures", results.figures().stream().map(this::figure).toList());
    all.put(
        "retained",
        results.retained().stream()
            .map(
                one ->
                    map(
                        "row", one.row(),
                        "keys", one.keys(),
                        "bytesPerKeyInObjects", one.objects(),
                        "bytesPerKeyInRegions", one.regions()))
            .toList());
    all.put("growth", results.growth().stream().map(Report::growth).toList());
    return Json.write(all);
  }

  /** The targets as a list for JSON. */
  public static List<Object> json(List<Target> targets) {
    List<Object> list = new ArrayList<>();
    for (Target target : targets) {
      list.add(
          map(
              "target", target.name(),
              "mustBe", target.asked(),
              "is", target.measured().orElse(""),
              "verdict", target.verdict()));
    }
    return list;
  }

  private Map<String, Object> figure(Figure figure) {
    return map(
        "id", figure.cell().id(),
        "section", figure.cell().section().title(),
        "row", figure.cell().row(),
        "column", figure.cell().column(),
        "threads", figure.cell().threads(),
        "nanosPerHit", figure.nanos(),
        "fastestIteration", figure.low(),
        "slowestIteration", figure.high(),
        "bytesPerHitWithKey", figure.bytes(),
        "bytesPerHit", results.allocated(figure).orElse(Double.NaN));
  }

  private static Map<String, Object> growth(Growth one) {
    return map(
        "row", one.row(),
        "keys", Growth.KEYS,
        "longestMillis", one.longest(),
        "longestMillisNetOfCollections", one.netOfCollections(),
        "longestMillisNet", one.net(),
        "idleLongestMillis", one.control(),
        "longestCollectionMillis", one.collection(),
        "meanNanos", one.meanNanos());
  }

  /** A map of names and values in turn. */
  public static Map<String, Object> map(Object... pairs) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      map.put((String) pairs[i], pairs[i + 1]);
    }
    return map;
  }
}
