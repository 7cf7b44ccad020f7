package dev.stint.memory;

/**
 * Where a group of limits is counted.
 *
 * @param rows a row for each key
 * @param cells what new keys share once all rows are in use
 * @param setting the setting that bounds the rows, for messages
 */
record Partition(Table rows, Table cells, String setting) {}
