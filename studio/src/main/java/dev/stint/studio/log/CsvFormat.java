package dev.stint.studio.log;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Values between commas, semicolons or tabs, under a line of names; quoted where they must be.
 *
 * <p>Columns may also be told by number, from 1 on; then the line of names may be missing.
 */
final class CsvFormat implements LineFormat {

  private static final String SEPARATORS = ",;\t";
  private static final int MOST = 1000;

  private final Wanted wanted;
  private final byte[] header;
  private final char separator;
  private final int time;
  private final int[] by;
  private final String[] names;
  private final int cost;
  private final TimeText times = new TimeText();
  private final byte[][] texts = new byte[MOST][];
  private final int[] starts = new int[MOST];
  private final int[] ends = new int[MOST];

  CsvFormat(Wanted wanted, List<String> first) {
    this.wanted = wanted;
    String line = first.isEmpty() ? "" : first.get(0);
    this.header = line.getBytes(StandardCharsets.UTF_8);
    this.separator = separator(line);
    List<String> columns = columns();
    this.time = column(wanted.time() == null ? Names.TIME : wanted.time(), columns);
    this.by = wanted.by().stream().mapToInt(name -> column(name, columns)).toArray();
    this.cost = wanted.cost() == null ? -1 : column(wanted.cost(), columns);
    this.names = Arrays.stream(by).mapToObj(columns::get).toArray(String[]::new);
  }

  /** The one that the line has most of. */
  private static char separator(String line) {
    char best = SEPARATORS.charAt(0);
    long most = 0;
    for (int i = 0; i < SEPARATORS.length(); i++) {
      char one = SEPARATORS.charAt(i);
      long count = line.chars().filter(c -> c == one).count();
      if (count > most) {
        most = count;
        best = one;
      }
    }
    return best;
  }

  private List<String> columns() {
    Entry entry = new Entry(0);
    entry.begin();
    int count = cut(header, 0, header.length, entry);
    List<String> columns = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String name = new String(texts[i], starts[i], ends[i] - starts[i], StandardCharsets.UTF_8);
      // Some programs write a mark of the byte order before the first name.
      columns.add(name.replace("\ufeff", "").strip());
    }
    return columns;
  }

  private static int column(String name, List<String> columns) {
    if (name.matches("[0-9]{1,3}")) {
      int number = Integer.parseInt(name);
      if (number >= 1 && number <= columns.size()) {
        return number - 1;
      }
      throw new IllegalArgumentException(
          "a column must be from 1 to %d: %d".formatted(columns.size(), number));
    }
    return columns.indexOf(
        Names.find(name, columns).orElseThrow(() -> Wanted.unknown(name, columns)));
  }

  @Override
  public String name() {
    return "csv";
  }

  @Override
  public String taken() {
    return wanted.clients();
  }

  @Override
  public boolean hasFractions() {
    return times.hasFractions();
  }

  @Override
  public @Nullable String read(byte[] b, int from, int to, Entry entry) {
    int count = cut(b, from, to, entry);
    entry.micros = time < count ? times.read(texts[time], starts[time], ends[time]) : TimeText.NONE;
    if (entry.micros == TimeText.NONE) {
      boolean isHeader = Arrays.equals(b, from, to, header, 0, header.length);
      return isHeader
          ? NO_REQUEST
          : "no time of the years " + TimeText.YEARS + " in column " + (time + 1);
    }
    for (int i = 0; i < by.length; i++) {
      int column = by[i];
      if (column < count) {
        Names.part(
            entry, i, wanted.by().get(i), names[i], texts[column], starts[column], ends[column]);
      }
    }
    int missing = entry.missing();
    if (missing >= 0) {
      return "no " + wanted.by().get(missing);
    }
    if (cost >= 0) {
      entry.cost = cost < count ? Wanted.cost(texts[cost], starts[cost], ends[cost]) : 0;
      if (entry.cost == 0) {
        return Wanted.COST;
      }
    }
    entry.seal();
    return null;
  }

  /** Notes where the values lie, and says how many there are; 0 if a quote is not closed. */
  private int cut(byte[] b, int from, int to, Entry entry) {
    int count = 0;
    int at = from;
    while (at <= to && count < MOST) {
      if (at < to && b[at] == '"') {
        at = quoted(b, at + 1, to, entry, count);
        if (at < 0) {
          return 0;
        }
      } else {
        int end = Slices.find(b, at, to, separator);
        end = end < 0 ? to : end;
        texts[count] = b;
        starts[count] = at;
        ends[count] = end;
        at = end;
      }
      count++;
      if (at < to && b[at] != separator) {
        return 0;
      }
      at++;
    }
    return count;
  }

  /** A value in quotes, where two of them are one; says where it ends, or -1. */
  private int quoted(byte[] b, int from, int to, Entry entry, int column) {
    starts[column] = entry.mark();
    for (int i = from; i < to; i++) {
      if (b[i] != '"') {
        entry.add(b[i]);
      } else if (i + 1 < to && b[i + 1] == '"') {
        entry.add(b[i++]);
      } else {
        texts[column] = entry.text();
        ends[column] = entry.mark();
        return i + 1;
      }
    }
    return -1;
  }
}
