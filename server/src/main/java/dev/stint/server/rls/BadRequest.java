package dev.stint.server.rls;

/** A request that cannot be decided; its message tells the client why. */
final class BadRequest extends RuntimeException {

  private static final long serialVersionUID = 1;

  BadRequest(String sentence) {
    super(sentence, null, false, false); // a flood of bad requests must be cheap to refuse
  }

  /** What is wrong, for the client. */
  String sentence() {
    return String.valueOf(getMessage());
  }
}
