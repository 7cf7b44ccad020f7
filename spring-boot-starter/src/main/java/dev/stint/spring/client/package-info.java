/**
 * Calls by Spring's clients at a pace. Read {@link dev.stint.spring.client.PacedInterceptor} or
 * {@link dev.stint.spring.client.PacedExchangeFilter} first.
 */
@NullMarked
package dev.stint.spring.client;

import org.jspecify.annotations.NullMarked;
