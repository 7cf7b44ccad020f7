package dev.stint.http;

import dev.stint.Spelling;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A method and a pattern of paths that a rule is for. A route for GET is also for HEAD, which
 * servers answer by the same handler.
 */
final class Route {

  static final String EVERYTHING = "/**";

  /** The registered methods, the common ones first, and PURGE, which caches know. */
  private static final List<String> METHODS =
      List.of(
          ("GET POST PUT DELETE PATCH HEAD OPTIONS QUERY TRACE CONNECT ACL BASELINE-CONTROL BIND"
                  + " CHECKIN CHECKOUT COPY LABEL LINK LOCK MERGE MKACTIVITY MKCALENDAR MKCOL"
                  + " MKREDIRECTREF MKWORKSPACE MOVE ORDERPATCH PRI PROPFIND PROPPATCH PURGE REBIND"
                  + " REPORT SEARCH UNBIND UNCHECKOUT UNLINK UNLOCK UPDATE UPDATEREDIRECTREF"
                  + " VERSION-CONTROL")
              .split(" ", -1));

  private final @Nullable String method;
  private final String pattern;

  Route(@Nullable String method, String pattern) {
    checkPattern(pattern);
    this.method = method == null ? null : known(method);
    this.pattern = pattern;
  }

  private static void checkPattern(@Nullable String pattern) {
    if (pattern == null || !pattern.startsWith("/")) {
      throw new IllegalArgumentException(
          "a pattern must start with '/', such as /orders/{id} or /api/**: " + pattern);
    }
    if (pattern.chars().anyMatch(c -> Character.isWhitespace(c) || c < ' ')) {
      throw new IllegalArgumentException(
          "a pattern must not contain white space: '"
              + pattern
              + "'; write each pattern as an entry of its own");
    }
  }

  private static String known(String method) {
    String name = method.strip().toUpperCase(Locale.ROOT);
    if (METHODS.contains(name)) {
      return name;
    }
    String hint =
        name.matches("[A-Z-]+")
            ? Spelling.hint(name, METHODS, "; leave it out to match every method")
            : "; write each method as an entry of its own, such as GET /x and POST /x";
    throw new IllegalArgumentException(
        "a method must be one of HTTP's, such as GET or POST: '" + method + "'" + hint);
  }

  String pattern() {
    return pattern;
  }

  /** Whether it is for requests with this method. */
  boolean isFor(String asked) {
    return method == null
        || method.equalsIgnoreCase(asked)
        || (method.equals("GET") && asked.equalsIgnoreCase("HEAD"));
  }

  /** The paths it is for. */
  Predicate<PathReading> in(PatternSyntax syntax) {
    return syntax.parse(pattern);
  }

  @Override
  public String toString() {
    return method == null ? pattern : method + " " + pattern;
  }
}
