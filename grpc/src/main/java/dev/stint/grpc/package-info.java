/**
 * Rules in front of gRPC services. Read {@link dev.stint.grpc.RateLimitInterceptor} first, then
 * {@link dev.stint.http.HttpLimiter}, which it asks.
 */
@NullMarked
package dev.stint.grpc;

import org.jspecify.annotations.NullMarked;
