package dev.stint.studio.cli;

import java.util.Map;
import java.util.Properties;

/**
 * What the output goes to: how wide it is, and whether it shows colours.
 *
 * <p>Java cannot tell whether its standard output is a terminal (a console needs standard input to
 * be one too), so the launcher finds out and passes {@code stint.columns}. Without it, or with
 * {@code NO_COLOR}, nothing is coloured. {@code stint.error.columns} is the same of standard error.
 *
 * @param errorColumns how wide standard error is; 0 if it is no terminal, so that nothing moves
 */
public record Terminal(boolean hasColour, int columns, int errorColumns) {

  /** The width of a file or pipe. */
  public static final int PLAIN_COLUMNS = 80;

  /** A file or pipe. */
  public static Terminal plain() {
    return new Terminal(false, PLAIN_COLUMNS, 0);
  }

  /** What this process writes to. */
  public static Terminal ofThisProcess() {
    return of(System.getProperties(), System.getenv());
  }

  static Terminal of(Properties properties, Map<String, String> environment) {
    int columns = number(properties.getProperty("stint.columns", ""));
    boolean dumb = environment.getOrDefault("TERM", "").equals("dumb");
    boolean colourless = dumb || !environment.getOrDefault("NO_COLOR", "").isEmpty();
    return new Terminal(
        columns > 0 && !colourless,
        columns > 0 ? columns : PLAIN_COLUMNS,
        dumb ? 0 : number(properties.getProperty("stint.error.columns", "")));
  }

  private static int number(String text) {
    return text.matches("[0-9]{1,4}") ? Integer.parseInt(text) : 0;
  }
}
