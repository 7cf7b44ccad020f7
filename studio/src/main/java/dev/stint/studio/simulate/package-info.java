/** {@code stint simulate}: made-up traffic through real limits. */
@NullMarked
package dev.stint.studio.simulate;

import org.jspecify.annotations.NullMarked;
