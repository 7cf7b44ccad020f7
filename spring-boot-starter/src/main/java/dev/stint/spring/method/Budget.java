package dev.stint.spring.method;

import dev.stint.http.Rule;
import dev.stint.spring.OnStoreError;
import org.jspecify.annotations.Nullable;

/**
 * One annotation, read and checked.
 *
 * @param rule what it says; its key and cost are read from a {@link MethodCall}
 * @param onStoreError what it says of the store; null for the application's usual answer
 */
record Budget(Rule rule, @Nullable OnStoreError onStoreError) {}
