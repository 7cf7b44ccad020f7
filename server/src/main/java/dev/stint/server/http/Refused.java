package dev.stint.server.http;

/** Ends the work on a request that cannot be answered. It costs no stack trace. */
final class Refused extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final int status;

  Refused(int status, String detail) {
    super(detail, null, false, false);
    this.status = status;
  }

  Refused(Problem problem) {
    this(problem.status(), problem.detail());
  }

  /** A request that is wrong in itself. */
  static Refused bad(String detail) {
    return new Refused(400, detail);
  }

  Problem problem() {
    return new Problem(status, String.valueOf(getMessage()));
  }
}
