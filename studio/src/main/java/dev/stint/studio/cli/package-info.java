/** What the commands share: the terminal, drawing, progress, options. */
@NullMarked
package dev.stint.studio.cli;

import org.jspecify.annotations.NullMarked;
