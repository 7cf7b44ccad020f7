package dev.stint.studio.log;

import org.jspecify.annotations.Nullable;

/** Understands the lines of one format. */
interface LineFormat {

  /** The reason of a line that is no request, and nobody's mistake: a header. */
  String NO_REQUEST = "no request";

  /** What the format is called, such as {@code combined}. */
  String name();

  /** What it takes from a line, as a sentence's part: {@code clients by ip}. */
  String taken();

  /**
   * Takes from a line what an entry needs.
   *
   * @return null if that went well, or else why not, such as {@code no time}
   */
  @Nullable String read(byte[] line, int from, int to, Entry entry);

  /** Whether times had parts of a second so far. */
  boolean hasFractions();
}
