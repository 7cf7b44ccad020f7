/**
 * Real Redis servers as child processes, alone, as a Cluster or under Sentinel, and ways to hurt
 * them. Start with {@link dev.stint.lab.RedisServer}; {@link dev.stint.lab.TcpProxy} hurts the
 * wire.
 */
@NullMarked
package dev.stint.lab;

import org.jspecify.annotations.NullMarked;
