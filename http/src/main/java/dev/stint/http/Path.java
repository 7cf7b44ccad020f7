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
    List<String> segments = segments(raw);
    boolean ambiguous = segments.stream().anyMatch(segment -> segment.indexOf('/') >= 0);
    return new Path(segments, ambiguous ? resolved(String.join("/", segments)) : null);
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
    List<String> segments = new ArrayList<>();
    for (String part : raw.split("/", -1)) {
      int parameters = part.indexOf(';');
      add(segments, decoded(parameters < 0 ? part : part.substring(0, parameters)));
    }
    return segments;
  }

  private static List<String> resolved(String decoded) {
    List<String> segments = new ArrayList<>();
    for (String part : decoded.split("/", -1)) {
      add(segments, part);
    }
    return segments;
  }

  private static void add(List<String> segments, String segment) {
    if (segment.equals("..")) {
      if (!segments.isEmpty()) {
        segments.remove(segments.size() - 1);
      }
    } else if (!segment.isEmpty() && !segment.equals(".")) {
      segments.add(segment);
    }
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
