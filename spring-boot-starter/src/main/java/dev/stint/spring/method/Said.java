package dev.stint.spring.method;

import dev.stint.spring.OnStoreError;
import dev.stint.spring.RateLimited;
import java.util.List;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;

/** What one {@link RateLimited} says, with what annotations made of it say in its place. */
record Said(
    String value,
    String by,
    String cost,
    String name,
    String fallback,
    boolean shadow,
    List<OnStoreError> onStoreError) {

  static List<Said> all(MergedAnnotations annotations) {
    return annotations.stream(RateLimited.class).map(Said::of).toList();
  }

  private static Said of(MergedAnnotation<RateLimited> annotation) {
    return new Said(
        annotation.getString("value"),
        annotation.getString("by"),
        annotation.getString("cost"),
        annotation.getString("name"),
        annotation.getString("fallback"),
        annotation.getBoolean("shadow"),
        List.of(annotation.getEnumArray("onStoreError", OnStoreError.class)));
  }
}
