/**
 * The promises that concern the memory store: bounded under floods, never locked out, nothing
 * allocated, exact under contention, and no limit starved by another.
 */
@NullMarked
package dev.stint.promises;

import org.jspecify.annotations.NullMarked;
