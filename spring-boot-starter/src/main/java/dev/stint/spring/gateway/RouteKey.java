package dev.stint.spring.gateway;

import dev.stint.http.CallLimiter;
import org.jspecify.annotations.Nullable;

/** The key that a route's own function has found. */
final class RouteKey {

  /** As all keys begin with where they come from, no other source finds the same. */
  private static final String KIND = "custom:key:";

  private RouteKey() {}

  /** What is charged for a key; those without one share a budget. */
  static CallLimiter.Use use(@Nullable String key, long cost) {
    return new CallLimiter.Use(key == null || key.isEmpty() ? null : KIND + key, cost);
  }
}
