/**
 * What a limit means: each algorithm as five small functions on a few integers and a time, and the
 * operations over them. Nothing here knows a store, a key or a clock. Read {@link
 * dev.stint.algorithm.Algorithm} first, then {@link dev.stint.algorithm.Bucket}.
 */
@NullMarked
package dev.stint.algorithm;

import org.jspecify.annotations.NullMarked;
