package dev.stint.spring;

import dev.stint.http.HttpLimiter;

/** A bean that changes how requests are limited beyond what properties can say. */
@FunctionalInterface
public interface HttpLimiterCustomizer {

  /** Changes the settings that the properties made. */
  void customize(HttpLimiter.Builder builder);
}
