package dev.stint.server.net;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Logs defects. Clients are only told that there was one; where it happened is for operators. The
 * log is rate-limited by cause, so that a request that meets a defect can be sent often without
 * filling it.
 */
public final class InternalErrors {

  private static final Logger LOG = System.getLogger("dev.stint.server.errors");

  /** What clients are told. */
  public static final String SENTENCE =
      "an internal error; the log of the service says more, please report it";

  private InternalErrors() {}

  /**
   * Logs a defect.
   *
   * @param where a constant, such as the name of the wire
   */
  public static void log(String where, Throwable failure) {
    LOG.log(Level.ERROR, "internal error (" + where + ")", failure);
  }
}
