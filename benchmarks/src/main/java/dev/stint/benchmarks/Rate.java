package dev.stint.benchmarks;

import java.time.Duration;

/** So much per so long: what each contestant turns into a limit of its own kind. */
record Rate(long amount, Duration window) {

  static Rate perDay(long amount) {
    return new Rate(amount, Duration.ofDays(1));
  }

  double perSecond() {
    return amount / (window.toNanos() / 1e9);
  }

  int intAmount() {
    return Math.toIntExact(amount);
  }
}
