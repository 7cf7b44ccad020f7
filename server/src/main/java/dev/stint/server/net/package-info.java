/**
 * What all wires share: {@link dev.stint.server.net.Wire}, sockets with their bounds and
 * encryption, and who may come in.
 */
@NullMarked
package dev.stint.server.net;

import org.jspecify.annotations.NullMarked;
