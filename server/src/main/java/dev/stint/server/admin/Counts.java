package dev.stint.server.admin;

/** Decisions by what came of them. */
record Counts(long admitted, long refused, long shadowRefused, long degraded) {

  static final Counts NONE = new Counts(0, 0, 0, 0);

  /** All decisions; those without the store are among them. */
  long all() {
    return admitted + refused + shadowRefused;
  }

  Counts plus(Counts other) {
    return new Counts(
        admitted + other.admitted,
        refused + other.refused,
        shadowRefused + other.shadowRefused,
        degraded + other.degraded);
  }

  Counts minus(Counts other) {
    return new Counts(
        admitted - other.admitted,
        refused - other.refused,
        shadowRefused - other.shadowRefused,
        degraded - other.degraded);
  }
}
