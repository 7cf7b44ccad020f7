/** Tries limits on requests, in virtual time. Start with {@link dev.stint.studio.trial.Trials}. */
@NullMarked
package dev.stint.studio.trial;

import org.jspecify.annotations.NullMarked;
