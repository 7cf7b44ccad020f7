/**
 * What stands between a call and a method that is {@link dev.stint.spring.RateLimited}. Read {@link
 * dev.stint.spring.method.RateLimitedAdvisor} first.
 */
@NullMarked
package dev.stint.spring.method;

import org.jspecify.annotations.NullMarked;
