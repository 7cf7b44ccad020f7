package dev.stint.server;

import java.util.Map;
import java.util.Properties;

/**
 * What the output goes to: how wide it is, and whether it shows colours.
 *
 * <p>Java cannot tell whether its standard output is a terminal (a console needs standard input to
 * be one too), so the launcher finds out and passes {@code stint.columns}. Without it, or with
 * {@code NO_COLOR}, nothing is coloured.
 */
public record Terminal(boolean hasColour, int columns) {

  /** The width of a file or pipe. */
  public static final int PLAIN_COLUMNS = 80;

  static Terminal ofThisProcess() {
    return of(System.getProperties(), System.getenv());
  }

  static Terminal of(Properties properties, Map<String, String> environment) {
    int columns = number(properties.getProperty("stint.columns", ""));
    boolean colourless =
        !environment.getOrDefault("NO_COLOR", "").isEmpty()
            || environment.getOrDefault("TERM", "").equals("dumb");
    return new Terminal(columns > 0 && !colourless, columns > 0 ? columns : PLAIN_COLUMNS);
  }

  private static int number(String text) {
    return text.matches("[0-9]{1,4}") ? Integer.parseInt(text) : 0;
  }
}
