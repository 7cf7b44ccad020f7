package dev.stint.http;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One of the ways in which a server may read a request's path. Most paths have one reading; {@code
 * /a/../b} has two, because some servers resolve dot segments and others do not.
 */
public final class PathReading {

  private static final String PLAIN =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,=:@";

  private final List<String> segments;
  private @Nullable String text;
  private @Nullable Object parsed;

  PathReading(List<String> segments, @Nullable String text) {
    this.segments = segments;
    this.text = text;
  }

  /** A handler's template, such as {@code /orders/{id}}, as if it were a path. */
  static PathReading ofTemplate(String template) {
    return new PathReading(
        Path.withoutEmpty(List.of(template.substring(1).split("/", -1))), template);
  }

  /** The segments, decoded, without empty ones. */
  public List<String> segments() {
    return segments;
  }

  /** The path, encoded: as the client wrote it, or the segments of another reading. */
  public String text() {
    String known = text;
    if (known == null) {
      known = encoded(segments);
      text = known;
    }
    return known;
  }

  /**
   * The path as a framework's own type, parsed from {@link #text} once for all rules. A limiter
   * reads patterns in one {@linkplain PatternSyntax syntax}, so this is always the same type.
   */
  @SuppressWarnings("unchecked") // one limiter has one syntax, and so one type
  public <T> T parsed(Function<String, T> parser) {
    Object known = parsed;
    if (known == null) {
      known = parser.apply(text());
      parsed = known;
    }
    return (T) known;
  }

  private static String encoded(List<String> segments) {
    if (segments.isEmpty()) {
      return "/";
    }
    StringBuilder path = new StringBuilder();
    for (String segment : segments) {
      path.append('/');
      for (byte b : segment.getBytes(StandardCharsets.UTF_8)) {
        if (PLAIN.indexOf(b) >= 0) {
          path.append((char) b);
        } else {
          path.append('%').append(Character.forDigit((b >> 4) & 15, 16));
          path.append(Character.forDigit(b & 15, 16));
        }
      }
    }
    return path.toString();
  }

  @Override
  public String toString() {
    return text();
  }
}
