/**
 * A service in a process of its own, attacked from raw sockets while well-behaved clients use it:
 * {@link dev.stint.server.attack.AttackMatrixTest} first.
 */
@NullMarked
package dev.stint.server.attack;

import org.jspecify.annotations.NullMarked;
