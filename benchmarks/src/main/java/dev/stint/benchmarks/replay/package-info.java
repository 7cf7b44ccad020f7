/** Measures {@code stint replay} on a long log; {@code ReplayCommand} is where it begins. */
@NullMarked
package dev.stint.benchmarks.replay;

import org.jspecify.annotations.NullMarked;
