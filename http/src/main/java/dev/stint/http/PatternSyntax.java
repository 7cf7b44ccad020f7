package dev.stint.http;

import java.util.function.Predicate;

/**
 * How the patterns of rules are written and what they match.
 *
 * <p>{@link #SEGMENTS} is the default. An integration with a framework that has patterns of its own
 * passes another to {@link HttpLimiter.Builder#patterns}, so that a pattern means to a rule what it
 * means to the framework.
 */
@FunctionalInterface
public interface PatternSyntax {

  /**
   * Stint's own: a segment is literal, {@code {name}} or {@code *} for any one segment; the last
   * may be {@code **} for any number of segments, including none.
   */
  PatternSyntax SEGMENTS = SegmentPattern::parse;

  /**
   * Reads a pattern.
   *
   * @throws IllegalArgumentException if the syntax does not have such a pattern; the message says
   *     what a pattern must be, what it was, and how to fix it
   */
  Predicate<PathReading> parse(String pattern);

  /**
   * Reads a pattern of {@linkplain HttpLimiter.Builder#exempt exempt} paths. Where the framework
   * has several ways to match, a rule's pattern matches if one of them does, and this only if all
   * do.
   */
  default Predicate<PathReading> parseExempt(String pattern) {
    return parse(pattern);
  }
}
