/** Checks of the build itself. Read {@link dev.stint.build.BomTest} first. */
@NullMarked
package dev.stint.build;

import org.jspecify.annotations.NullMarked;
