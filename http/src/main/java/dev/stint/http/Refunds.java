package dev.stint.http;

import dev.stint.Decision;
import dev.stint.RateLimiter;
import dev.stint.StoreException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Gives back what was taken, without anybody having to wait for it. */
final class Refunds {

  private static final Logger LOG = System.getLogger("dev.stint.http");

  private Refunds() {}

  /** If the store fails now the client stays charged, which is the safe side; the log says so. */
  static void give(RateLimiter limiter, Decision decision) {
    try {
      var unused =
          limiter
              .refundAsync(decision)
              .exceptionally(
                  failure -> {
                    tell(failure);
                    return null;
                  });
    } catch (StoreException e) { // a store that fails before it has a future
      tell(e);
    }
  }

  private static void tell(Throwable failure) {
    LOG.log(Level.DEBUG, "a charge could not be given back", failure);
  }
}
