package dev.stint.http.jaxrs;

import jakarta.ws.rs.Path;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Finds the template of a route, as the annotations of a resource and its method spell it. */
final class Template {

  private Template() {}

  /**
   * Such as {@code /orders/{id}}; null for a resource that another one returned, whose own
   * annotations are not the whole path.
   */
  static @Nullable String of(Class<?> resource, Method method) {
    String root = find(resource, type -> type);
    if (root == null) {
      return null;
    }
    String rest = find(resource, type -> declared(type, method));
    String whole = joined(root) + (rest == null ? "" : joined(rest));
    return whole.isEmpty() ? "/" : whole;
  }

  private static String joined(String path) {
    String start = path.startsWith("/") ? path : "/" + path;
    return start.endsWith("/") ? start.substring(0, start.length() - 1) : start;
  }

  /** The path on {@code part} of the type, or of what it extends and implements. */
  private static @Nullable String find(
      @Nullable Class<?> type, Function<Class<?>, @Nullable AnnotatedElement> part) {
    if (type == null) {
      return null;
    }
    AnnotatedElement element = part.apply(type);
    Path path = element == null ? null : element.getAnnotation(Path.class);
    if (path != null) {
      return path.value();
    }
    String inherited = find(type.getSuperclass(), part);
    for (Class<?> implemented : type.getInterfaces()) {
      inherited = inherited == null ? find(implemented, part) : inherited;
    }
    return inherited;
  }

  private static @Nullable Method declared(Class<?> type, Method method) {
    try {
      return type.getDeclaredMethod(method.getName(), method.getParameterTypes());
    } catch (NoSuchMethodException e) {
      return null;
    }
  }
}
