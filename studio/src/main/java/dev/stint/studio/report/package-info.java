/** Findings as one page that needs nothing else. */
@NullMarked
package dev.stint.studio.report;

import org.jspecify.annotations.NullMarked;
