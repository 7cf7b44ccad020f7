package dev.stint.benchmarks.server;

import java.util.List;
import java.util.OptionalDouble;

/**
 * The service beside its floor, over one wire.
 *
 * @param floor what it is compared with
 * @param stint the service, in one or more ways; the first is also asked at fixed rates
 * @param atLeast the part of the floor's answers per second that the service must reach
 * @param atFixedRates whether latencies at fixed rates are measured too
 */
record Contest(
    String id,
    String label,
    Contestant floor,
    List<Contestant> stint,
    OptionalDouble atLeast,
    boolean atFixedRates) {

  /** All of them, the floor first. */
  List<Contestant> contestants() {
    return java.util.stream.Stream.concat(java.util.stream.Stream.of(floor), stint.stream())
        .toList();
  }
}
