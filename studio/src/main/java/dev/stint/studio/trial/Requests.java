package dev.stint.studio.trial;

/** Some requests in order of time: the first {@code size} of these. */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
record Requests(long[] micros, int[] keys, long[] costs, int size) {}
