package dev.stint.studio.findings;

import java.util.ArrayList;
import java.util.List;

/** Rows whose cells stand below each other: the first to the left, numbers to the right. */
final class Table {

  private static final String GAP = "  ";
  private static final int LONGEST_NAME = 24;

  private final int columns;
  private final List<Object[]> rows = new ArrayList<>();
  private int alsoLeft;

  Table(int columns) {
    this.columns = columns;
  }

  /** Makes one more column stand to the left. */
  Table left(int column) {
    alsoLeft = column;
    return this;
  }

  /** Adds a row of words and numbers. */
  void row(Object... cells) {
    rows.add(cells);
  }

  /** The rows; with numbers rounded, such as {@code 12.3M}, if they would be too wide otherwise. */
  List<String> lines(int width) {
    List<String> exact = lines(false);
    return exact.stream().allMatch(line -> line.length() <= width) ? exact : lines(true);
  }

  private List<String> lines(boolean brief) {
    int[] widths = new int[columns];
    for (Object[] row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], cell(row[i], brief).length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (Object[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        String cell = cell(row[i], brief);
        String pad = " ".repeat(widths[i] - cell.length());
        boolean left = i == 0 || i == alsoLeft;
        line.append(i == 0 ? "" : GAP).append(left ? cell + pad : pad + cell);
      }
      lines.add(line.toString());
    }
    return lines;
  }

  private static String cell(Object value, boolean brief) {
    if (value instanceof Long n) {
      return brief ? Figures.brief(n) : Figures.count(n);
    }
    String word = clean(value.toString());
    boolean name = !word.contains(" ");
    return name && word.length() > LONGEST_NAME ? word.substring(0, LONGEST_NAME - 2) + ".." : word;
  }

  /** Without what a terminal would obey: keys and file names are written by anybody. */
  static String clean(String word) {
    return word.replaceAll("[\\p{Cntrl}\\p{Cf}\\u2028\\u2029]", "?");
  }
}
