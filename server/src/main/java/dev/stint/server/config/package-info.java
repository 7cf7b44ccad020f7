/**
 * What the service is to do, as values: {@link dev.stint.server.config.Configuration} first.
 * Reading it from a file, with the place of every mistake, is here too.
 */
@NullMarked
package dev.stint.server.config;

import org.jspecify.annotations.NullMarked;
