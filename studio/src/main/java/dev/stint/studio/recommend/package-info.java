/** {@code stint recommend}: limits that suit the traffic of an access log. */
@NullMarked
package dev.stint.studio.recommend;

import org.jspecify.annotations.NullMarked;
