package dev.stint.memory;

import dev.stint.Limit;
import org.jspecify.annotations.Nullable;

/**
 * Finds where a limit is counted. Limits that were prepared and limits that are given in calls have
 * overflow cells apart, and rows apart if the store sets some aside for the latter.
 */
record Partitions(PreparedLimits preparedLimits, Partition prepared, Partition given) {

  /** The rows of all limits; null if those that are given in calls have rows of their own. */
  @Nullable Table onlyRows() {
    Table rows = prepared.rows();
    return rows == given.rows() ? rows : null;
  }

  Partition of(Limit limit) {
    return preparedLimits.contains(limit) ? prepared : given;
  }
}
