/**
 * The rules of Envoy's rate limit service, made ready for lookups: {@link
 * dev.stint.server.rls.tree.RlsTree} first. It knows nothing of stores and wires.
 */
@NullMarked
package dev.stint.server.rls.tree;

import org.jspecify.annotations.NullMarked;
