/** The command line {@code stint}. Start with {@link dev.stint.server.Main}. */
@NullMarked
package dev.stint.server;

import org.jspecify.annotations.NullMarked;
