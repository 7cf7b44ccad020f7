package dev.stint.spring;

import dev.stint.http.PathReading;
import dev.stint.http.PatternSyntax;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.http.server.PathContainer;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.reactive.handler.AbstractHandlerMapping;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import org.springframework.web.util.pattern.PatternParseException;

/**
 * Spring's own patterns, so that {@code {*path}} and {@code {id:[0-9]+}} mean what they do there.
 *
 * <p>They are checked at once. They are parsed for good at the first request, by when the handler
 * mappings are there, which say whether upper and lower case are the same: they are beans like
 * others, and must not be made because of a rule.
 */
final class SpringPathPatterns implements PatternSyntax {

  private static final ClassLoader LOADER = SpringPathPatterns.class.getClassLoader();
  private static final PathPatternParser ANY_CASE = anyCase();

  private final Supplier<PathPatternParser> parser;

  private SpringPathPatterns(Supplier<PathPatternParser> parser) {
    this.parser = parser;
  }

  /** The syntax of this application. */
  static PatternSyntax of(ListableBeanFactory beans) {
    return new SpringPathPatterns(SingletonSupplier.of(() -> parser(beans)));
  }

  private static PathPatternParser anyCase() {
    PathPatternParser parser = new PathPatternParser();
    parser.setCaseSensitive(false);
    return parser;
  }

  /** Each handler mapping has a parser of its own. A rule must not be dodged in any of them. */
  private static PathPatternParser parser(ListableBeanFactory beans) {
    boolean ignoresCase =
        (isPresent("org.springframework.web.servlet.DispatcherServlet") && Mvc.ignoresCase(beans))
            || (isPresent("org.springframework.web.reactive.DispatcherHandler")
                && WebFlux.ignoresCase(beans));
    return ignoresCase ? ANY_CASE : PathPatternParser.defaultInstance;
  }

  private static boolean isPresent(String type) {
    return ClassUtils.isPresent(type, LOADER);
  }

  /** With MVC. */
  private static final class Mvc {

    static boolean ignoresCase(ListableBeanFactory beans) {
      return MvcHandlers.mappings(beans).stream().anyMatch(MvcHandlers::ignoresCase);
    }
  }

  /** With WebFlux. */
  private static final class WebFlux {

    static boolean ignoresCase(ListableBeanFactory beans) {
      return beans.getBeanProvider(AbstractHandlerMapping.class).stream()
          .anyMatch(mapping -> !mapping.getPathPatternParser().isCaseSensitive());
    }
  }

  @Override
  public Predicate<PathReading> parse(String pattern) {
    String valid = checked(pattern).getPatternString();
    SingletonSupplier<PathPattern> parsed = SingletonSupplier.of(() -> parser.get().parse(valid));
    return reading -> matches(parsed.obtain(), reading);
  }

  @Override
  public Predicate<PathReading> parseExempt(String pattern) {
    PathPattern parsed = checked(pattern);
    return reading -> matches(parsed, reading);
  }

  private static PathPattern checked(String pattern) {
    try {
      return PathPatternParser.defaultInstance.parse(pattern);
    } catch (PatternParseException e) {
      throw new IllegalArgumentException(
          "a pattern must be one that Spring can parse: '"
              + pattern
              + "', at character "
              + (e.getPosition() + 1)
              + ": "
              + e.getMessage(),
          e);
    }
  }

  private static boolean matches(PathPattern pattern, PathReading reading) {
    try {
      return pattern.matches(reading.parsed(PathContainer::parsePath));
    } catch (IllegalArgumentException e) {
      return false; // wrongly encoded: Spring cannot route it either
    }
  }
}
