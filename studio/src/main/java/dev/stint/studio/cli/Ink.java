package dev.stint.studio.cli;

/** How things are drawn: with or without colours, with or without characters beyond ASCII. */
public final class Ink {

  private static final String ESCAPE = "\u001b[";

  private final boolean colour;
  private final String bars;
  private final String cross;
  private final String edge;
  private final String arrow;

  public Ink(boolean colour, boolean ascii) {
    this.colour = colour;
    this.bars = ascii ? "_-=#" : "▁▂▃▄▅▆▇█";
    this.cross = ascii ? "x" : "×";
    this.edge = ascii ? ":" : "╎";
    this.arrow = ascii ? "->" : "→";
  }

  /** A bar for {@code n} of at most {@code most}: visible as soon as there is one. */
  public String bar(long n, long most) {
    int height = (int) ((n * bars.length() + most - 1) / most);
    return bars.substring(height - 1, height);
  }

  /** What the signs mean, in one line. */
  public String legend() {
    return admitted(bars + " admitted")
        + "   "
        + refused(cross + " refused")
        + "   "
        + warning("! more than the limit in one window");
  }

  /** The sign for refused hits. */
  public String cross() {
    return cross;
  }

  /** The sign for the edge of a window. */
  public String edge() {
    return edge;
  }

  /** The sign that points to what matters. */
  public String arrow() {
    return arrow;
  }

  public String admitted(String text) {
    return paint("32", text);
  }

  public String refused(String text) {
    return paint("31", text);
  }

  public String warning(String text) {
    return paint("1;33", text);
  }

  public String title(String text) {
    return paint("1", text);
  }

  public String faint(String text) {
    return paint("2", text);
  }

  private String paint(String code, String text) {
    return colour && !text.isBlank() ? ESCAPE + code + "m" + text + ESCAPE + "0m" : text;
  }
}
