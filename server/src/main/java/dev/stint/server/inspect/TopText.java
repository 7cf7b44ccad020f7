package dev.stint.server.inspect;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.function.ToIntFunction;

/** The busiest keys for people. */
final class TopText {

  private static final int SHOWN = 10;
  private static final int LEAST_NUMBERS = 8;
  private static final int WIDEST_POLICY = 30;
  private static final int NARROWEST_KEY = 16;

  private final PrintWriter out;
  private final int columns;

  /** A line of a list, as it is shown. */
  private record Line(String count, String policy, String key, String remark) {}

  TopText(PrintWriter out, int columns) {
    this.out = out;
    this.columns = columns;
  }

  void print(Tree snapshot) {
    Tree rates = snapshot.at("perSecond");
    Tree store = snapshot.at("store");
    out.printf(
        Locale.ROOT,
        "%.1f admitted/s, %.1f refused/s%s, store %s%n",
        rates.number("admitted"),
        rates.number("refused"),
        rates.number("shadowRefused") > 0
            ? String.format(Locale.ROOT, ", %.1f would be refused/s", rates.number("shadowRefused"))
            : "",
        Tree.shown(store.text("kind")) + " " + Tree.shown(store.text("state")));
    Tree top = snapshot.at("top");
    list("busiest keys", "requests", top.list("used").stream().map(key -> line(key, "")).toList());
    list(
        "most refused keys",
        "refused",
        top.list("refused").stream()
            .map(key -> line(key, key.is("shadow") ? " (would be refused)" : ""))
            .toList());
  }

  private static Line line(Tree key, String remark) {
    long error = (long) key.number("error");
    return new Line(
        String.format(Locale.ROOT, "%,d", (long) key.number("count"))
            + (error > 0 ? " ±" + error : ""),
        cut(Tree.shown(key.text("policy")), WIDEST_POLICY),
        Tree.shown(key.text("key")),
        (key.is("hashed") ? " (hash)" : "") + remark);
  }

  private void list(String title, String counted, List<Line> all) {
    out.printf("%n%s of the last minutes%n", title);
    if (all.isEmpty()) {
      out.println("  none");
      return;
    }
    List<Line> lines = all.subList(0, Math.min(SHOWN, all.size()));
    int numbers = widest(lines, LEAST_NUMBERS, line -> line.count().length());
    int policies = widest(lines, "policy".length(), line -> line.policy().length());
    String form = "  %" + numbers + "s  %-" + policies + "s  %s%s%n";
    out.printf(form, counted, "policy", "key", "");
    for (Line line : lines) {
      int room = columns - numbers - policies - line.remark().length() - 6;
      String key = cut(line.key(), Math.max(NARROWEST_KEY, room));
      out.printf(form, line.count(), line.policy(), key, line.remark());
    }
  }

  private static int widest(List<Line> lines, int least, ToIntFunction<Line> width) {
    return Math.max(least, lines.stream().mapToInt(width).max().orElse(0));
  }

  private static String cut(String text, int room) {
    return text.length() <= room ? text : text.substring(0, room - 1) + "…";
  }
}
