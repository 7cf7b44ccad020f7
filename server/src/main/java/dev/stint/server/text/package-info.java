/** How both ends of the service say things to people. */
@NullMarked
package dev.stint.server.text;

import org.jspecify.annotations.NullMarked;
