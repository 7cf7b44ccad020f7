/**
 * Stint and its peers side by side, in one run. Start with {@link dev.stint.benchmarks.Plan}: it
 * lists what is measured in memory; {@link dev.stint.benchmarks.Targets} lists what is expected of
 * it. For Redis these are {@link dev.stint.benchmarks.RedisScenario} and {@link
 * dev.stint.benchmarks.RedisTargets}.
 */
@NullMarked
package dev.stint.benchmarks;

import org.jspecify.annotations.NullMarked;
