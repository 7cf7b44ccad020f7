/**
 * The service beside what it could be at best: the same libraries, and Redis, answering a constant.
 * Start with {@link dev.stint.benchmarks.server.Contests}, which lists what is measured; {@link
 * dev.stint.benchmarks.server.Generator} asks.
 */
@NullMarked
package dev.stint.benchmarks.server;

import org.jspecify.annotations.NullMarked;
