/**
 * Limits on the routes of Spring Cloud Gateway. Read {@link
 * dev.stint.spring.gateway.GatewayRateLimiter} first, or {@link
 * dev.stint.spring.gateway.RouteLimits} for MVC.
 */
@NullMarked
package dev.stint.spring.gateway;

import org.jspecify.annotations.NullMarked;
