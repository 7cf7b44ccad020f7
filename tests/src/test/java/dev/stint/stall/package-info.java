/**
 * What a caller that is stalled, or dies of an {@link Error}, anywhere inside a call to the memory
 * store does to other callers: nothing. The store's classes are loaded with a hook before every
 * call and allocation; see {@link dev.stint.stall.InstrumentedLoader}.
 */
@NullMarked
package dev.stint.stall;

import org.jspecify.annotations.NullMarked;
