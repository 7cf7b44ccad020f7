package dev.stint.spring;

import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServletMapping;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.CorsConfigurationSource;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.handler.AbstractHandlerMapping;
import org.springframework.web.util.pattern.PathPatternParser;

/** Asks MVC which handler a request will reach, before its dispatcher does. */
final class MvcHandlers {

  /** What MVC finds for a request. */
  record Found(@Nullable String template, @Nullable CorsConfiguration cors) {}

  /**
   * What a handler's pattern ends with where Spring matches by suffix, as versions before 7 can.
   */
  private static final String ANY_SUFFIX = ".*";

  private final SingletonSupplier<List<HandlerMapping>> mappings;
  private final SingletonSupplier<Boolean> ownRouting;

  MvcHandlers(ApplicationContext context) {
    this.mappings = SingletonSupplier.of(() -> mappings(context));
    this.ownRouting =
        SingletonSupplier.of(
            () -> mappings.obtain().stream().anyMatch(MvcHandlers::hasPathMatcher));
  }

  /** The mappings of an application in their order. */
  static List<HandlerMapping> mappings(ListableBeanFactory beans) {
    List<HandlerMapping> all =
        new ArrayList<>(
            BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, HandlerMapping.class, true, false)
                .values());
    AnnotationAwareOrderComparator.sort(all);
    return all;
  }

  /** Whether upper and lower case are the same to a mapping. */
  static boolean ignoresCase(HandlerMapping mapping) {
    if (!(mapping instanceof AbstractHandlerMapping known)) {
      return false;
    }
    PathPatternParser parser = known.getPatternParser();
    return parser == null ? known.getPathMatcher().match("/a", "/A") : !parser.isCaseSensitive();
  }

  /** A path matcher may be the application's own, and then match whatever it likes. */
  private static boolean hasPathMatcher(HandlerMapping mapping) {
    return mapping instanceof AbstractHandlerMapping known && known.getPatternParser() == null;
  }

  /** Whether MVC may find handlers in another way than by {@link PathPatternParser}. */
  boolean haveOwnRouting() {
    return ownRouting.obtain();
  }

  /** What MVC finds; null if the request is for another servlet, or for no handler. */
  @Nullable Found find(HttpServletRequest request) {
    if (!isDispatched(request)) {
      return null;
    }
    LookupRequest lookup = new LookupRequest(request);
    try {
      for (HandlerMapping mapping : mappings.obtain()) {
        HandlerExecutionChain chain = mapping.getHandler(lookup);
        if (chain != null) {
          return new Found(template(mapping, lookup), cors(chain, lookup));
        }
      }
    } catch (Exception e) {
      return null; // such as a method that is not allowed: no handler will be called
    }
    return null;
  }

  private static @Nullable String template(HandlerMapping mapping, HttpServletRequest lookup) {
    Object found = lookup.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
    if (found == null) {
      return null;
    }
    String template = found.toString();
    return hasPathMatcher(mapping) && template.endsWith(ANY_SUFFIX)
        ? template.substring(0, template.length() - ANY_SUFFIX.length())
        : template;
  }

  private static boolean isDispatched(HttpServletRequest request) {
    HttpServletMapping mapping = request.getHttpServletMapping();
    ServletRegistration servlet =
        mapping == null || mapping.getServletName() == null
            ? null
            : request.getServletContext().getServletRegistration(mapping.getServletName());
    String type = servlet == null ? null : servlet.getClassName();
    return type == null || type.equals(DispatcherServlet.class.getName()) || isSubclass(type);
  }

  private static boolean isSubclass(String type) {
    try {
      return DispatcherServlet.class.isAssignableFrom(
          ClassUtils.forName(type, MvcHandlers.class.getClassLoader()));
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  private static @Nullable CorsConfiguration cors(
      HandlerExecutionChain chain, HttpServletRequest request) {
    for (HandlerInterceptor interceptor : chain.getInterceptorList()) {
      if (interceptor instanceof CorsConfigurationSource source) {
        return source.getCorsConfiguration(request);
      }
    }
    return chain.getHandler() instanceof CorsConfigurationSource source
        ? source.getCorsConfiguration(request)
        : null;
  }

  /** Keeps to itself what a mapping notes while it looks. */
  private static final class LookupRequest extends HttpServletRequestWrapper {

    private final Map<String, Object> attributes = new HashMap<>();

    LookupRequest(HttpServletRequest request) {
      super(request);
      for (Enumeration<String> names = request.getAttributeNames(); names.hasMoreElements(); ) {
        String name = names.nextElement();
        attributes.put(name, request.getAttribute(name));
      }
    }

    @Override
    public @Nullable Object getAttribute(String name) {
      return attributes.get(name);
    }

    @Override
    public Enumeration<String> getAttributeNames() {
      return Collections.enumeration(attributes.keySet());
    }

    @Override
    public void setAttribute(String name, @Nullable Object value) {
      if (value == null) {
        attributes.remove(name);
      } else {
        attributes.put(name, value);
      }
    }

    @Override
    public void removeAttribute(String name) {
      attributes.remove(name);
    }
  }
}
