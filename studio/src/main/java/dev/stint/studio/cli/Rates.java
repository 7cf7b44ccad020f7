package dev.stint.studio.cli;

import dev.stint.Limit;
import java.util.List;

/** What {@code --limit} says. */
public final class Rates {

  private Rates() {}

  /**
   * The limits of all that was given.
   *
   * @throws IllegalArgumentException with a whole sentence
   */
  public static List<Limit> parse(List<String> rates) {
    try {
      return Limit.parseAll(String.join("; ", rates));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "--limit must be a rate such as 100/minute: " + e.getMessage(), e);
    }
  }
}
