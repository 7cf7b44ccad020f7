/** Reads access logs: which format, when, who, how much. */
@NullMarked
package dev.stint.studio.log;

import org.jspecify.annotations.NullMarked;
