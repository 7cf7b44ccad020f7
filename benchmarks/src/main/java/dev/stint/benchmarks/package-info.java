/**
 * Stint and its peers side by side, in one run. Start with {@link dev.stint.benchmarks.Plan}: it
 * lists what is measured; {@link dev.stint.benchmarks.Targets} lists what is expected of it.
 */
@NullMarked
package dev.stint.benchmarks;

import org.jspecify.annotations.NullMarked;
