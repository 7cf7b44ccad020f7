package dev.stint.http;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A method and a pattern of paths that a rule is for.
 *
 * <p>A pattern's segments are literal, or stand for any one segment ({@code {id}} or {@code *});
 * the last may stand for any number ({@code **}). A route for GET is also for HEAD, which servers
 * answer by the same handler.
 */
final class Route {

  static final String EVERYTHING = "/**";

  private final @Nullable String method;
  private final String pattern;
  private final List<String> segments;
  private final boolean open;

  Route(@Nullable String method, String pattern) {
    if (pattern == null || !pattern.startsWith("/")) {
      throw new IllegalArgumentException(
          "a pattern must start with '/', such as /orders/{id} or /api/**: " + pattern);
    }
    if (method != null && method.isBlank()) {
      throw new IllegalArgumentException("method must not be blank: '" + method + "'");
    }
    this.method = method == null ? null : method.strip().toUpperCase(Locale.ROOT);
    this.pattern = pattern;
    List<String> all = Path.segments(pattern);
    this.open = !all.isEmpty() && all.get(all.size() - 1).equals("**");
    this.segments = open ? all.subList(0, all.size() - 1) : all;
    for (String segment : segments) {
      checkSegment(segment);
    }
  }

  private void checkSegment(String segment) {
    boolean variable = segment.startsWith("{") && segment.endsWith("}");
    boolean odd = segment.contains("*") || segment.contains("{") || segment.contains("}");
    if (odd && !variable && !segment.equals("*")) {
      throw new IllegalArgumentException(
          "a segment of a pattern must be literal, {name} or *, and only the last may be **: '"
              + segment
              + "' in "
              + pattern);
    }
  }

  String pattern() {
    return pattern;
  }

  boolean matches(String method, Path path) {
    return isFor(method)
        && (matches(path.segments())
            || (path.otherSegments() != null && matches(path.otherSegments())));
  }

  private boolean isFor(String asked) {
    return method == null
        || method.equalsIgnoreCase(asked)
        || (method.equals("GET") && asked.equalsIgnoreCase("HEAD"));
  }

  private boolean matches(List<String> path) {
    if (open ? path.size() < segments.size() : path.size() != segments.size()) {
      return false;
    }
    for (int i = 0; i < segments.size(); i++) {
      String segment = segments.get(i);
      boolean any = segment.equals("*") || segment.startsWith("{");
      if (!any && !segment.equals(path.get(i))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return method == null ? pattern : method + " " + pattern;
  }
}
