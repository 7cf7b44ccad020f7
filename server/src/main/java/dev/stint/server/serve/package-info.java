/**
 * The running service: {@link dev.stint.server.serve.Service} starts it from a configuration and
 * stops it without losing an answer.
 */
@NullMarked
package dev.stint.server.serve;

import org.jspecify.annotations.NullMarked;
