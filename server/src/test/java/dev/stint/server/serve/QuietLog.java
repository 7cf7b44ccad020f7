package dev.stint.server.serve;

import java.util.logging.Level;
import java.util.logging.Logger;

/** Keeps the mistakes that a test makes on purpose out of the build's output. */
public final class QuietLog {

  // Java forgets the level of a logger that nobody holds.
  private static final Logger RELOADS = Logger.getLogger("dev.stint.server.reload");

  private QuietLog() {}

  /** Silences reloads for the rest of the process. */
  public static void ofReloads() {
    RELOADS.setLevel(Level.OFF);
  }
}
