/**
 * Rate limits for the JVM: make a {@link dev.stint.Limit}, give it to a {@link
 * dev.stint.RateLimiter}, read the {@link dev.stint.Decision}.
 */
@NullMarked
package dev.stint;

import org.jspecify.annotations.NullMarked;
