/**
 * {@code stint demo}: the same traffic through every algorithm, in virtual time, drawn. Start with
 * {@link dev.stint.server.demo.Demo}.
 */
@NullMarked
package dev.stint.server.demo;

import org.jspecify.annotations.NullMarked;
