/**
 * Rules in front of the JDK's own server, and calls by its client at a pace. Read {@link
 * dev.stint.http.jdk.RateLimitFilter} or {@link dev.stint.http.jdk.PacedClient} first.
 */
@NullMarked
package dev.stint.http.jdk;

import org.jspecify.annotations.NullMarked;
