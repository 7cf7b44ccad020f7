package dev.stint.server.inspect;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** The busiest keys for people. */
final class TopText {

  private static final int SHOWN = 10;
  private static final int NUMBERS = 22;
  private static final int NARROWEST = 20;

  private final PrintWriter out;
  private final int columns;

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
    list("busiest keys", snapshot.at("top").list("used"));
    list("most refused keys", snapshot.at("top").list("refused"));
  }

  private void list(String title, List<Tree> keys) {
    out.printf("%n%s of the last minutes%n", title);
    if (keys.isEmpty()) {
      out.println("  none");
    }
    int room = Math.max(NARROWEST, columns - NUMBERS);
    for (Tree key : keys.subList(0, Math.min(SHOWN, keys.size()))) {
      String error = key.number("error") > 0 ? " ±" + (long) key.number("error") : "";
      String name =
          Tree.shown(key.text("policy"))
              + "  "
              + Tree.shown(key.text("key"))
              + (key.is("hashed") ? " (hash)" : "");
      out.printf(
          Locale.ROOT,
          "  %,10d%-7s %s%n",
          (long) key.number("count"),
          error,
          name.length() <= room ? name : name.substring(0, room - 1) + "…");
    }
  }
}
