/** The JSON API and the simple check: {@link dev.stint.server.http.HttpWire} first. */
@NullMarked
package dev.stint.server.http;

import org.jspecify.annotations.NullMarked;
