/** Redis' protocol: {@link dev.stint.server.resp.RespWire} first. */
@NullMarked
package dev.stint.server.resp;

import org.jspecify.annotations.NullMarked;
