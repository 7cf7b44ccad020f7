/** Rules in front of JAX-RS resources. Read {@link dev.stint.http.jaxrs.RateLimitFilter} first. */
@NullMarked
package dev.stint.http.jaxrs;

import org.jspecify.annotations.NullMarked;
