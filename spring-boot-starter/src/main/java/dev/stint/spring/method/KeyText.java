package dev.stint.spring.method;

import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ObjectUtils;
import org.springframework.util.ReflectionUtils;

/** Makes a key of whatever an expression gives. */
final class KeyText {

  private KeyText() {}

  /** The text; null where there is no key. */
  static @Nullable String of(@Nullable Object value) {
    if (value instanceof Optional<?> optional) {
      return of(optional.orElse(null));
    }
    if (value == null || value instanceof CharSequence) {
      return value == null ? null : value.toString();
    }
    if (value.getClass().isArray()) {
      return joined(Arrays.asList(ObjectUtils.toObjectArray(value)));
    }
    return value instanceof Collection<?> several ? joined(several) : ownText(value);
  }

  /** Lengths in front, or {@code {'a, b', 'c'}} and {@code {'a', 'b, c'}} would be one key. */
  private static String joined(Collection<?> values) {
    StringBuilder all = new StringBuilder();
    for (Object value : values) {
      String text = of(value);
      all.append(text == null ? "-" : text.length() + ":" + text);
    }
    return all.toString();
  }

  /** An object's address would be another key each time, and nobody would ever be refused. */
  private static String ownText(Object value) {
    var toString = ReflectionUtils.findMethod(value.getClass(), "toString");
    if (toString == null || toString.getDeclaringClass() == Object.class) {
      throw new IllegalStateException(
          "by must give a value that has a text of its own: "
              + value.getClass().getName()
              + " has no toString(); write one of its properties, such as #user.id");
    }
    return value.toString();
  }
}
