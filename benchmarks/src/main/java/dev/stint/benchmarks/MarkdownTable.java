package dev.stint.benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A table whose rows and columns come into being as cells are put in; an empty cell is a dash. */
public final class MarkdownTable {

  private final String corner;
  private final Set<String> columns = new LinkedHashSet<>();
  private final Map<String, Map<String, String>> rows = new LinkedHashMap<>();

  /** An empty table with this in its upper left corner. */
  public MarkdownTable(String corner) {
    this.corner = corner;
  }

  /** Fills a cell. */
  public MarkdownTable put(String row, String column, String value) {
    columns.add(column);
    rows.computeIfAbsent(row, r -> new LinkedHashMap<>()).put(column, value);
    return this;
  }

  /** Whether nothing was put in. */
  public boolean isEmpty() {
    return rows.isEmpty();
  }

  /** The table, padded so that it also reads well as plain text. */
  @Override
  public String toString() {
    List<List<String>> lines = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of(corner));
    head.addAll(columns);
    lines.add(head);
    rows.forEach(
        (row, values) -> {
          List<String> line = new ArrayList<>(List.of(row));
          columns.forEach(column -> line.add(values.getOrDefault(column, "–")));
          lines.add(line);
        });
    int[] widths = new int[head.size()];
    for (List<String> line : lines) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], escaped(line.get(i)).length());
      }
    }
    StringBuilder text = new StringBuilder();
    line(text, lines.get(0), widths);
    rule(text, widths);
    lines.subList(1, lines.size()).forEach(line -> line(text, line, widths));
    return text.toString();
  }

  private static void line(StringBuilder text, List<String> line, int[] widths) {
    for (int i = 0; i < widths.length; i++) {
      String cell = escaped(line.get(i));
      String pad = " ".repeat(widths[i] - cell.length());
      text.append("| ").append(i == 0 ? cell + pad : pad + cell).append(' ');
    }
    text.append("|\n");
  }

  private static void rule(StringBuilder text, int[] widths) {
    for (int i = 0; i < widths.length; i++) {
      String dashes = "-".repeat(widths[i] + 1);
      text.append(i == 0 ? "|" + dashes + "-" : "|" + dashes + ":");
    }
    text.append("|\n");
  }

  private static String escaped(String cell) {
    return cell.replace("|", "\\|");
  }
}
