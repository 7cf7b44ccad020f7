/**
 * For tests: a clock that stands still ({@link dev.stint.testkit.ManualTime}), behaviour as text
 * ({@link dev.stint.testkit.Timeline}), and what every store must hold ({@link
 * dev.stint.testkit.StoreContract}).
 */
@NullMarked
package dev.stint.testkit;

import org.jspecify.annotations.NullMarked;
