package dev.stint.spring.method;

import dev.stint.http.CallLimiter;
import dev.stint.http.Rule;
import dev.stint.spring.OnStoreError;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One annotation, read and checked.
 *
 * @param rule its name and limits
 * @param key whom a call is counted for
 * @param cost what a call costs
 * @param onStoreError what it says of the store; null for the application's default
 */
record Budget(
    Rule rule, CallKey key, ToLongFunction<MethodCall> cost, @Nullable OnStoreError onStoreError) {

  /** What the call is to be charged. */
  CallLimiter.Use use(MethodCall call) {
    return new CallLimiter.Use(key.of(call), cost.applyAsLong(call));
  }
}
