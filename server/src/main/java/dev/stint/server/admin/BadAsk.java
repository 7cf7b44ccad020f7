package dev.stint.server.admin;

/** What was asked for cannot be done; its message is for whoever asked. */
final class BadAsk extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final int status;

  BadAsk(int status, String sentence) {
    super(sentence, null, false, false);
    this.status = status;
  }

  int status() {
    return status;
  }

  String body() {
    return Json.error(String.valueOf(getMessage()));
  }
}
