/** Metrics, health, top keys: what operators see. */
@NullMarked
package dev.stint.server.admin;

import org.jspecify.annotations.NullMarked;
