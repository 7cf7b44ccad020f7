package dev.stint.spring;

import dev.stint.http.PathReading;
import dev.stint.http.PatternSyntax;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
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
 * <p>They are checked at once. They are parsed for good at the first request, by the application's
 * parser, which may take upper and lower case for the same: it is a bean like others, and must not
 * be made because of a rule.
 */
final class SpringPathPatterns implements PatternSyntax {

  private static final ClassLoader LOADER = SpringPathPatterns.class.getClassLoader();

  private final Supplier<PathPatternParser> parser;

  private SpringPathPatterns(Supplier<PathPatternParser> parser) {
    this.parser = parser;
  }

  /** The syntax of this application. */
  static PatternSyntax of(ListableBeanFactory beans) {
    return new SpringPathPatterns(SingletonSupplier.of(() -> parser(beans)));
  }

  private static PathPatternParser parser(ListableBeanFactory beans) {
    PathPatternParser mvc = beans.getBeanProvider(PathPatternParser.class).getIfUnique();
    PathPatternParser found = mvc == null ? webFlux(beans) : mvc;
    return found == null ? PathPatternParser.defaultInstance : found;
  }

  private static @Nullable PathPatternParser webFlux(ListableBeanFactory beans) {
    return ClassUtils.isPresent("org.springframework.web.reactive.DispatcherHandler", LOADER)
        ? beans
            .getBeanProvider(AbstractHandlerMapping.class)
            .orderedStream()
            .findFirst()
            .map(AbstractHandlerMapping::getPathPatternParser)
            .orElse(null)
        : null;
  }

  @Override
  public Predicate<PathReading> parse(String pattern) {
    try {
      PathPatternParser.defaultInstance.parse(pattern);
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
    SingletonSupplier<PathPattern> parsed = SingletonSupplier.of(() -> parser.get().parse(pattern));
    return reading -> matches(parsed.obtain(), reading);
  }

  private static boolean matches(PathPattern pattern, PathReading reading) {
    try {
      return pattern.matches(reading.parsed(PathContainer::parsePath));
    } catch (IllegalArgumentException e) {
      return false; // wrongly encoded: Spring cannot route it either
    }
  }
}
