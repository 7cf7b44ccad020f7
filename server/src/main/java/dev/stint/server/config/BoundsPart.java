package dev.stint.server.config;

import java.time.Duration;

/** Reads {@code bounds}. */
final class BoundsPart {

  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;

  private BoundsPart() {}

  static Bounds read(Context in, Yaml yaml) {
    Bounds usual = Bounds.in(in.environment());
    Section bounds =
        in.section(
            "bounds",
            yaml,
            "body",
            "headers",
            "key",
            "batch",
            "descriptors",
            "connections",
            "idle",
            "drain",
            "shutdown-delay");
    return new Bounds(
        bounds.size("body", usual.body(), KIB, 64 * MIB),
        bounds.size("headers", usual.headers(), KIB, MIB),
        bounds.size("key", usual.key(), 16, 64 * KIB),
        bounds.number("batch", usual.batch(), 1, 100_000),
        bounds.number("descriptors", usual.descriptors(), 1, 1000),
        bounds.number("connections", usual.connections(), 1, 1_000_000),
        bounds.duration("idle", usual.idle(), Duration.ofSeconds(1), Duration.ofDays(1)),
        bounds.duration("drain", usual.drain(), Duration.ZERO, Duration.ofSeconds(25)),
        bounds.duration(
            "shutdown-delay", usual.shutdownDelay(), Duration.ZERO, Duration.ofMinutes(5)));
  }
}
