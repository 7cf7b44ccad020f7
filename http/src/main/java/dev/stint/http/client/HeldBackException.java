package dev.stint.http.client;

import java.io.IOException;
import java.time.Duration;

/** Says that a call was not made, because its turn would not come within the longest wait. */
public final class HeldBackException extends IOException {

  private static final long serialVersionUID = 1;

  private final Duration retryAfter;

  HeldBackException(String why, Duration retryAfter) {
    super(why);
    this.retryAfter = retryAfter;
  }

  /** How long until a call could be made; {@link dev.stint.Decision#NEVER} if it never can. */
  public Duration retryAfter() {
    return retryAfter;
  }
}
