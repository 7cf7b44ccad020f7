/**
 * The pace of calls to other servers, for clients of any kind. Read {@link
 * dev.stint.http.client.Pace} first.
 */
@NullMarked
package dev.stint.http.client;

import org.jspecify.annotations.NullMarked;
