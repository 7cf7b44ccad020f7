/**
 * {@code stint recommend}: limits that suit the traffic of an access log.
 *
 * <p>{@link dev.stint.studio.recommend.Recommend} reads it, {@code Proposals} tries limits on it,
 * {@code Choice} takes one or two of them.
 */
@NullMarked
package dev.stint.studio.recommend;

import org.jspecify.annotations.NullMarked;
