package dev.stint.http;

import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** A pattern in {@link PatternSyntax#SEGMENTS}. */
final class SegmentPattern implements Predicate<PathReading> {

  private static final Pattern VARIABLE = Pattern.compile("\\{[A-Za-z_][A-Za-z0-9_.-]*}");
  private static final Pattern LITERAL =
      Pattern.compile("([A-Za-z0-9._~!$&'()+,=:@-]|[^\\x00-\\x9f]|%[0-9A-Fa-f]{2})+");
  private static final String ANY = "*";

  private final List<String> segments;
  private final boolean open;

  private SegmentPattern(List<String> segments, boolean open) {
    this.segments = segments;
    this.open = open;
  }

  static SegmentPattern parse(String pattern) {
    List<String> all =
        Path.withoutEmpty(List.of(pattern.substring(1).split("/", -1))); // as of a path
    boolean open = !all.isEmpty() && all.get(all.size() - 1).equals("**");
    List<String> segments = open ? all.subList(0, all.size() - 1) : all;
    return new SegmentPattern(
        segments.stream().map(segment -> checked(segment, pattern)).toList(), open);
  }

  private static String checked(String segment, String pattern) {
    if (segment.equals(ANY) || VARIABLE.matcher(segment).matches()) {
      return ANY;
    }
    if (segment.equals(".") || segment.equals("..") || !LITERAL.matcher(segment).matches()) {
      throw new IllegalArgumentException(
          "a segment of a pattern must be literal, {name} or *, and only the last may be **: '"
              + segment
              + "' in "
              + pattern
              + cure(segment));
    }
    return PercentDecoder.decode(segment);
  }

  private static String cure(String segment) {
    if (segment.startsWith("{*") || segment.equals("**")) {
      return "; end the pattern with /** to match any number of segments";
    }
    if (segment.contains("{") || segment.contains("*")) {
      return "; write {name} or * in place of the segment to match any one";
    }
    if (segment.equals(".") || segment.equals("..")) {
      return "; write the path that it leads to";
    }
    return "; encode other characters, such as %20 for a space";
  }

  @Override
  public boolean test(PathReading path) {
    List<String> asked = path.segments();
    if (open ? asked.size() < segments.size() : asked.size() != segments.size()) {
      return false;
    }
    for (int i = 0; i < segments.size(); i++) {
      String segment = segments.get(i);
      if (!segment.equals(ANY) && !segment.equals(asked.get(i))) {
        return false;
      }
    }
    return true;
  }
}
