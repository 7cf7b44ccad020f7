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
}
