package dev.stint;

import org.jspecify.annotations.Nullable;

/**
 * Says that a store could not carry an operation out.
 *
 * <p>{@code hit}, {@code peek} and {@code acquire} never throw it: they answer with a decision that
 * is {@linkplain Decision#degraded() degraded}. The other operations do, because nobody would
 * notice that a charge or a reset had been lost.
 */
public class StoreException extends RuntimeException {

  private static final long serialVersionUID = 1;

  public StoreException(String message) {
    super(message);
  }

  public StoreException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /**
   * Tells the store how the call that failed was answered in its place.
   *
   * <p>A limiter that admits a hit because its store failed calls this, and so does a {@linkplain
   * Store#orElse fallback}, each with the answer that the caller gets. If you catch this exception
   * and decide for yourself, do the same. A call of which nothing is said counts as refused.
   *
   * <p>For stores: a call that fails may have charged something all the same, or may still do so.
   * If your store can give that back, throw an exception that overrides this method; keep the
   * charge if the request was admitted, and give it back if it was not, or if nothing has been said
   * after a while. The method must neither block nor throw, and only its first call counts. Unless
   * overridden it tells the cause, if that is a {@code StoreException}, so an exception that wraps
   * another passes the answer on.
   *
   * @param admitted whether the caller was admitted
   */
  public void answered(boolean admitted) {
    if (getCause() instanceof StoreException cause) {
      cause.answered(admitted);
    }
  }
}
