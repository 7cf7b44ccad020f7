package dev.stint.server.rls;

/** A request whose sender lacks a permission. It costs no stack trace. */
final class NotPermitted extends RuntimeException {

  private static final long serialVersionUID = 1;

  NotPermitted(String sentence) {
    super(sentence, null, false, false);
  }

  String sentence() {
    return String.valueOf(getMessage());
  }
}
