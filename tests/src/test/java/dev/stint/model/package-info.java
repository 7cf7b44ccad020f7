/**
 * A naive reference model of every limit, in exact arithmetic and without cleverness, and the test
 * that compares the stores with it over random traces. Read {@link dev.stint.model.Model} first,
 * then {@link dev.stint.model.Account}.
 */
@NullMarked
package dev.stint.model;

import org.jspecify.annotations.NullMarked;
