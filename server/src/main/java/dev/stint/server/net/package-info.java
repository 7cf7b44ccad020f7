/**
 * What all wires share: {@link dev.stint.server.net.Wire}, sockets with their bounds and
 * encryption, and {@link dev.stint.server.net.TokenAuth who may do what}.
 */
@NullMarked
package dev.stint.server.net;

import org.jspecify.annotations.NullMarked;
