/**
 * What a command has found out, and how it is told: as JSON, and as a page.
 *
 * <p>{@link dev.stint.studio.findings.Findings} is all of it; nothing is computed while it is told.
 */
@NullMarked
package dev.stint.studio.findings;

import org.jspecify.annotations.NullMarked;
