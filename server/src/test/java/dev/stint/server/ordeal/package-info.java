/**
 * The service under attack and failure, by real sockets: {@link dev.stint.server.ordeal.Setup}
 * first.
 */
@NullMarked
package dev.stint.server.ordeal;

import org.jspecify.annotations.NullMarked;
