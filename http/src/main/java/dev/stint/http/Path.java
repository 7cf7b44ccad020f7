package dev.stint.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request's path as servers understand it, so that no other way of writing it dodges a rule:
 * decoded, without empty and dot segments, without path parameters and without a slash at the end.
 *
 * <p>Servers disagree about an encoded slash: to some it ends a segment, to others it is a part of
 * it. So such a path is understood in both ways, and matches if either does.
 */
final class Path {

  private final List<String> segments;
  private final @Nullable List<String> otherSegments;

  private Path(List<String> segments, @Nullable List<String> otherSegments) {
    this.segments = segments;
    this.otherSegments = otherSegments;
  }

  static Path of(String raw) {
    List<String> parts = parts(raw);
    // Looked at before dots are resolved: in /a%2Fb/../c they take away a/b, or b alone.
    boolean ambiguous = parts.stream().anyMatch(part -> part.indexOf('/') >= 0);
    return new Path(
        resolved(parts),
        ambiguous ? resolved(List.of(String.join("/", parts).split("/", -1))) : null);
  }

  /** The segments, an encoded slash being a part of one. */
  List<String> segments() {
    return segments;
  }

  /** The segments, an encoded slash ending one; null if that makes no difference. */
  @Nullable List<String> otherSegments() {
    return otherSegments;
  }

  static List<String> segments(String raw) {
    return resolved(parts(raw));
  }

  /** What stands between slashes, decoded. */
  private static List<String> parts(String raw) {
    List<String> parts = new ArrayList<>();
    for (String part : raw.split("/", -1)) {
      int parameters = part.indexOf(';');
      parts.add(decoded(parameters < 0 ? part : part.substring(0, parameters)));
    }
    return parts;
  }

  private static List<String> resolved(List<String> parts) {
    List<String> segments = new ArrayList<>(parts.size());
    for (String part : parts) {
      if (part.equals("..")) {
        if (!segments.isEmpty()) {
          segments.remove(segments.size() - 1);
        }
      } else if (!part.isEmpty() && !part.equals(".")) {
        segments.add(part);
      }
    }
    return segments;
  }

  private static String decoded(String segment) {
    if (segment.indexOf('%') < 0) {
      return segment;
    }
    try {
      return URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return segment;
    }
  }
}
