package dev.stint.http;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A request's path in every way that a server may read it.
 *
 * <p>Servers disagree about what a path means: whether dot segments are resolved, before or after
 * decoding and with or without counting empty segments; whether an encoded slash or a backslash
 * ends a segment; what a path parameter is; how often to decode. So a path is not normalized, which
 * would follow one server and be wrong for the next. It is read in all of these ways, and a rule is
 * for it if <em>any</em> reading matches; an exemption only if <em>all</em> readings do.
 *
 * <p>An ordinary path has one reading. The others cost time only where a path has something to
 * disagree about.
 */
final class Path {

  /** A longer path with many readings is not from an ordinary client: it matches every pattern. */
  private static final int LONGEST_ODD = 1024;

  private static final int MANY = 8;

  private final List<PathReading> readings;
  private final boolean odd;
  private final boolean excessive;

  private Path(List<PathReading> readings, boolean odd, boolean excessive) {
    this.readings = readings;
    this.odd = odd;
    this.excessive = excessive;
  }

  /** Reads the path of a request. */
  static Path of(Request request) {
    String raw = request.path();
    return isPlain(raw) ? plain(raw) : odd(raw, request.decodedPath());
  }

  /** Reads a path that is still encoded. */
  static Path of(String raw) {
    return isPlain(raw) ? plain(raw) : odd(raw, null);
  }

  /** Reads a path as it is; and without a slash at its end, which lenient routers leave out. */
  private static Path plain(String raw) {
    PathReading whole = new PathReading(withoutEmpty(split(raw)), raw);
    boolean hasSlash = raw.length() > 1 && raw.endsWith("/");
    return new Path(
        hasSlash ? List.of(whole, new PathReading(whole.segments(), null)) : List.of(whole),
        false,
        false);
  }

  /**
   * Reads a path that can be read in several ways.
   *
   * @param raw as the client wrote it
   * @param decoded as the server itself has decoded and resolved it; null if it does not say
   */
  private static Path odd(String raw, @Nullable String decoded) {
    Set<List<String>> segments = new LinkedHashSet<>();
    if (decoded != null) {
      segments.add(withoutEmpty(split(decoded)));
    }
    boolean excessive = !readings(raw, segments);
    List<PathReading> readings = new ArrayList<>(segments.size() + 1);
    // First as the client wrote it, for a framework that has a parser of its own.
    readings.add(new PathReading(withoutEmpty(split(raw)), raw));
    for (List<String> one : segments) {
      readings.add(new PathReading(one, null));
    }
    return new Path(readings, true, excessive);
  }

  /** Whether a rule with this pattern is for the path. */
  boolean anyMatches(Predicate<PathReading> pattern) {
    if (excessive) {
      return true;
    }
    for (int i = 0; i < readings.size(); i++) {
      if (pattern.test(readings.get(i))) {
        return true;
      }
    }
    return false;
  }

  /** Whether an exemption with this pattern is for the path. */
  boolean allMatch(Predicate<PathReading> pattern) {
    return !excessive && readings.stream().allMatch(pattern);
  }

  List<PathReading> readings() {
    return readings;
  }

  /** Whether servers may disagree about it by more than a slash at its end. */
  boolean isOdd() {
    return odd;
  }

  /** Whether there is only one way to read it, whether a slash at its end counts or not. */
  static boolean isPlain(String raw) {
    char before = 0;
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      if (c == '%' || c == ';' || c == '\\' || (before == '/' && (c == '/' || c == '.'))) {
        return false;
      }
      before = c;
    }
    return raw.startsWith("/");
  }

  /**
   * Adds what the steps that servers take make of a path, each taken or left out, in the order in
   * which servers take them.
   *
   * @return false if there are more readings than an honest path of this length has
   */
  private static boolean readings(String raw, Collection<List<String>> all) {
    for (List<String> early : resolved(split(raw))) {
      for (List<String> stripped : withAndWithoutParameters(early)) {
        for (List<String> decoded : decoded(stripped)) {
          for (List<String> plain : withAndWithoutParameters(decoded)) {
            for (List<String> parted : slashes(plain)) {
              for (List<String> late : resolved(parted)) {
                all.add(withoutEmpty(late));
              }
              if (raw.length() > LONGEST_ODD && all.size() > MANY) {
                return false;
              }
            }
          }
        }
      }
    }
    return true;
  }

  private static List<String> split(String path) {
    List<String> segments = new ArrayList<>();
    int start = path.startsWith("/") ? 1 : 0;
    for (int i = start; i <= path.length(); i++) {
      if (i == path.length() || path.charAt(i) == '/') {
        segments.add(path.substring(start, i));
        start = i + 1;
      }
    }
    return segments;
  }

  static List<String> withoutEmpty(List<String> segments) {
    if (!segments.contains("")) {
      return segments;
    }
    List<String> rest = new ArrayList<>(segments);
    rest.removeIf(String::isEmpty);
    return rest;
  }

  /** As it is; and without what follows a semicolon, if anything does. */
  private static Collection<List<String>> withAndWithoutParameters(List<String> segments) {
    List<String> without = new ArrayList<>(segments.size());
    for (String segment : segments) {
      int parameters = segment.indexOf(';');
      without.add(parameters < 0 ? segment : segment.substring(0, parameters));
    }
    return distinct(List.of(segments, without));
  }

  /** As it is, decoded, and decoded twice, as far as that makes a difference. */
  private static Collection<List<String>> decoded(List<String> segments) {
    List<String> once = segments.stream().map(PercentDecoder::decode).toList();
    List<String> twice = once.stream().map(PercentDecoder::decode).toList();
    return distinct(List.of(segments, once, twice));
  }

  /** As it is; with a slash within a segment ending it; and with a backslash ending it too. */
  private static Collection<List<String>> slashes(List<String> segments) {
    String joined = String.join("/", segments);
    return distinct(List.of(segments, split("/" + joined), split("/" + joined.replace('\\', '/'))));
  }

  /** As it is; with dot segments resolved; and the same, empty segments not counting. */
  private static Collection<List<String>> resolved(List<String> segments) {
    if (!segments.contains(".") && !segments.contains("..")) {
      return List.of(segments);
    }
    return distinct(List.of(segments, withoutDots(segments), withoutDots(withoutEmpty(segments))));
  }

  private static List<String> withoutDots(List<String> segments) {
    List<String> rest = new ArrayList<>(segments.size());
    for (String segment : segments) {
      if (segment.equals("..")) {
        if (!rest.isEmpty()) {
          rest.remove(rest.size() - 1);
        }
      } else if (!segment.equals(".")) {
        rest.add(segment);
      }
    }
    return rest;
  }

  private static Collection<List<String>> distinct(List<List<String>> readings) {
    return new LinkedHashSet<>(readings);
  }
}
