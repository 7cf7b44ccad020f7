/**
 * The store that counts in this process's memory. Read {@link dev.stint.memory.MemoryStore} first;
 * behind it, {@code Segment} states the invariants of the table and {@code Packing} the layout of a
 * row.
 */
@NullMarked
package dev.stint.memory;

import org.jspecify.annotations.NullMarked;
