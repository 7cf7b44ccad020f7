package dev.stint.memory;

import dev.stint.Limit;

/**
 * Finds where a limit is counted. Limits that were prepared and limits that are given in calls have
 * overflow cells apart, and rows apart if the store sets some aside for the latter.
 */
record Partitions(PreparedLimits preparedLimits, Partition prepared, Partition given) {

  /** The rows of a limit's partition, for less where there is but one table of them. */
  Table rows(Limit limit) {
    Table rows = prepared.rows();
    return rows == given.rows() ? rows : of(limit).rows();
  }

  Partition of(Limit limit) {
    return preparedLimits.contains(limit) ? prepared : given;
  }
}
