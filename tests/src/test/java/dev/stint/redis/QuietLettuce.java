package dev.stint.redis;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Keeps Lettuce from logging every connection that a test cuts. */
final class QuietLettuce implements BeforeAllCallback {

  // Held here, since the system forgets the level of a logger that nobody holds.
  private static final List<Logger> LOGGERS =
      List.of(Logger.getLogger("io.lettuce"), Logger.getLogger("io.netty"));

  @Override
  public void beforeAll(ExtensionContext context) {
    LOGGERS.forEach(logger -> logger.setLevel(Level.OFF));
  }
}
