/**
 * A service in a process of its own, attacked from raw sockets: {@link
 * dev.stint.server.attack.FuzzTest} first.
 */
@NullMarked
package dev.stint.server.attack;

import org.jspecify.annotations.NullMarked;
