package dev.stint.redis;

import dev.stint.StoreException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Brings failures of futures to the one exception that a store throws. */
final class StoreFailure {

  private StoreFailure() {}

  /** A new exception, so that the trace is that of the caller who waited. */
  static StoreException of(Throwable failure) {
    Throwable cause = unwrap(failure);
    return new StoreException(reason(cause), cause);
  }

  static Throwable unwrap(Throwable failure) {
    Throwable cause = failure;
    while ((cause instanceof CompletionException || cause instanceof ExecutionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  static String reason(Throwable cause) {
    String message = cause.getMessage();
    return message == null ? cause.getClass().getSimpleName() : message;
  }
}
