package dev.stint.benchmarks;

/**
 * What a cell was measured to be.
 *
 * @param nanos nanoseconds per hit and thread: the median of the forks
 * @param low the fastest iteration
 * @param high the slowest iteration
 * @param bytes bytes allocated per hit, the key string's included: the median of the forks
 */
record Figure(Cell cell, double nanos, double low, double high, double bytes) {}
