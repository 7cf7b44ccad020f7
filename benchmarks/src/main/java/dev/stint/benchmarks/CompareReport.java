package dev.stint.benchmarks;

import dev.stint.benchmarks.Cell.Section;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Reports how a new build of stint-core compares with an old one. */
final class CompareReport {

  private final Environment environment;
  private final List<Comparison> comparisons;

  CompareReport(Environment environment, List<Comparison> comparisons) {
    this.environment = environment;
    this.comparisons = List.copyOf(comparisons);
  }

  /** The name of a row: the algorithm, the keys, the threads. */
  static String row(Cell cell) {
    String who = cell.row().replaceFirst("^Stint,? ", "");
    return who + ", " + cell.column() + (cell.section() == Section.REFUSALS ? ", refused" : "");
  }

  List<Target> targets() {
    return List.of(
        target(
            number("rows with a median ratio above %.2f", Comparison.MOST), Comparison::isSlower),
        target("rows that allocate more than before", Comparison::allocatesMore));
  }

  private Target target(String name, Predicate<Comparison> worse) {
    List<String> rows = comparisons.stream().filter(worse).map(one -> row(one.cell())).toList();
    String is = rows.isEmpty() ? "0" : rows.size() + ": " + String.join("; ", rows);
    return new Target(name, "0", Optional.of(is), rows.isEmpty());
  }

  String markdown() {
    StringBuilder text = new StringBuilder("# Two builds of the memory store\n\n");
    environment.facts().forEach((k, v) -> text.append("- %s: %s%n".formatted(k, v)));
    Report.section(text, "Targets", "", Report.targets(targets()));
    Report.section(
        text,
        "Rows",
        "Nanoseconds per hit and thread, and bytes allocated per hit, each the median of the rounds"
            + " and with the key string included; of a round the bytes are those of its least"
            + " iteration. The ratio is the median of the rounds' ratios; T = threads.",
        table());
    return text.toString();
  }

  private MarkdownTable table() {
    MarkdownTable table = new MarkdownTable("row");
    for (Comparison one : comparisons) {
      Spread ratio = one.ratio();
      String row = row(one.cell());
      table
          .put(row, "old, ns", number("%.1f", one.olderNanos()))
          .put(row, "new, ns", number("%.1f", one.newerNanos()))
          .put(row, "new/old", number("%.3f", ratio.median()))
          .put(row, "min…max", number("%.3f…%.3f", ratio.low(), ratio.high()))
          .put(row, "old, B", number("%.1f", one.olderBytes()))
          .put(row, "new, B", number("%.1f", one.newerBytes()))
          .put(row, "verdict", one.verdict());
    }
    return table;
  }

  String json() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("environment", environment.facts());
    all.put("targets", Report.json(targets()));
    all.put("rows", comparisons.stream().map(CompareReport::json).toList());
    return Json.write(all);
  }

  private static Map<String, Object> json(Comparison one) {
    Spread ratio = one.ratio();
    return Report.map(
        "id", one.cell().id(),
        "row", row(one.cell()),
        "oldNanosPerHit", one.olderNanos(),
        "newNanosPerHit", one.newerNanos(),
        "ratio", ratio.median(),
        "leastRatio", ratio.low(),
        "mostRatio", ratio.high(),
        "ratios", one.rounds().stream().map(Comparison.Round::ratio).toList(),
        "oldBytesPerHitWithKey", one.olderBytes(),
        "newBytesPerHitWithKey", one.newerBytes(),
        "verdict", one.verdict());
  }

  private static String number(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
