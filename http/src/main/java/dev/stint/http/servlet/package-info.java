/** Rules in front of servlets. Read {@link dev.stint.http.servlet.RateLimitFilter} first. */
@NullMarked
package dev.stint.http.servlet;

import org.jspecify.annotations.NullMarked;
