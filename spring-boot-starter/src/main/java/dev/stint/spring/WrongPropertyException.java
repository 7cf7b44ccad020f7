package dev.stint.spring;

import org.jspecify.annotations.Nullable;

/** Thrown when the application starts with a property that cannot be used. */
final class WrongPropertyException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String property;
  private final @Nullable String value;
  private final String reason;
  private final String action;

  WrongPropertyException(
      String property,
      @Nullable String value,
      String reason,
      String action,
      @Nullable Throwable cause) {
    super(property + ": " + reason + ". " + action, cause);
    this.property = property;
    this.value = value;
    this.reason = reason;
    this.action = action;
  }

  String property() {
    return property;
  }

  @Nullable String value() {
    return value;
  }

  String reason() {
    return reason;
  }

  String action() {
    return action;
  }
}
