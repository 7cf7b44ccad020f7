/** Envoy's rate limit service, over gRPC and as JSON. */
@NullMarked
package dev.stint.server.rls;

import org.jspecify.annotations.NullMarked;
