/**
 * {@code stint demo}: the same traffic through every algorithm, in virtual time, drawn. Start with
 * {@link dev.stint.studio.demo.Demo}.
 */
@NullMarked
package dev.stint.studio.demo;

import org.jspecify.annotations.NullMarked;
