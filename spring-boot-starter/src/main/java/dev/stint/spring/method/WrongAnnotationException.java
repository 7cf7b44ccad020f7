package dev.stint.spring.method;

import org.jspecify.annotations.Nullable;

/** Thrown when the application starts with a {@code @RateLimited} that cannot be used. */
final class WrongAnnotationException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String description;
  private final String action;

  /**
   * Says what is wrong.
   *
   * @param place the method, with its class
   * @param attribute which part of the annotation
   * @param value what that part says
   * @param reason why it cannot be used
   * @param action how to mend it
   */
  WrongAnnotationException(
      String place,
      String attribute,
      String value,
      String reason,
      String action,
      @Nullable Throwable cause) {
    super(
        "@RateLimited("
            + attribute
            + " = \""
            + value
            + "\") on "
            + place
            + ": "
            + reason
            + ". "
            + action,
        cause);
    this.description =
        "@RateLimited on "
            + place
            + " cannot be used: its "
            + attribute
            + " is '"
            + value
            + "'.\n\nReason: "
            + reason;
    this.action = action;
  }

  String description() {
    return description;
  }

  String action() {
    return action;
  }
}
