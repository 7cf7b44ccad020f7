/**
 * Stint in a Spring Boot application: rules from its configuration, {@code @RateLimited} on its
 * methods. Read {@link dev.stint.spring.StintProperties} first.
 */
@NullMarked
package dev.stint.spring;

import org.jspecify.annotations.NullMarked;
