/** {@code stint replay}: the traffic of an access log through other limits. */
@NullMarked
package dev.stint.studio.replay;

import org.jspecify.annotations.NullMarked;
