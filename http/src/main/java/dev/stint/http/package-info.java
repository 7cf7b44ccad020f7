/**
 * From a request to an answer, whatever the framework: rules, keys, headers, refusals. Read {@link
 * dev.stint.http.HttpLimiter} first, then {@link dev.stint.http.Rule}.
 */
@NullMarked
package dev.stint.http;

import org.jspecify.annotations.NullMarked;
