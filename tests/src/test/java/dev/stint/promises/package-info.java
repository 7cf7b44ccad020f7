/** The promises that concern memory: bounded under floods, never locked out, nothing allocated. */
@NullMarked
package dev.stint.promises;

import org.jspecify.annotations.NullMarked;
