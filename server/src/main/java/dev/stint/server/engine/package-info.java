/**
 * Policies in force and the one place where they are decided; {@link
 * dev.stint.server.engine.Engine} first. It knows nothing of the wires that ask.
 */
@NullMarked
package dev.stint.server.engine;

import org.jspecify.annotations.NullMarked;
