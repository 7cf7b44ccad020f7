/**
 * Commands that look into a running service through its admin port: {@link
 * dev.stint.server.inspect.Explain} and {@link dev.stint.server.inspect.Top}.
 */
@NullMarked
package dev.stint.server.inspect;

import org.jspecify.annotations.NullMarked;
