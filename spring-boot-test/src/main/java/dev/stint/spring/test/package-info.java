/**
 * Virtual time in the tests of a Spring Boot application. Read {@link
 * dev.stint.spring.test.WithManualTime} first.
 */
@NullMarked
package dev.stint.spring.test;

import org.jspecify.annotations.NullMarked;
