package dev.stint.spring.method;

import dev.stint.Limit;
import dev.stint.http.Rule;
import dev.stint.spring.OnStoreError;
import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Reads one annotation of a method; whatever is wrong is told with its place. */
final class AnnotationReader {

  private static final String LIMIT_ACTION =
      "Write an amount and a time, such as 100/min, 5/second burst 20 or 1000/day fixed-window;"
          + " several limits are joined by semicolons.";
  private static final String NAME_ACTION =
      "Give it a name of 1 to 64 letters, digits, '_', '.' or '-'.";
  private static final String DIFFERENT_ACTION =
      "Write limits that differ in window or algorithm, or name them: 10/min named a.";
  private static final String EXPRESSION_ACTION =
      "Write an expression over the method's parameters, such as #user.id or #p0. To have"
          + " parameters by name, compile with -parameters.";
  private static final String KEY_ACTION =
      EXPRESSION_ACTION
          + " Or, for web requests, write what tells clients apart, such as address, principal,"
          + " header:X-Api-Key or 'principal | address'; or all, for one budget that all callers"
          + " share.";
  private static final String FALLBACK_ACTION =
      "Name a method of the same class that has the same parameters or none and returns the same.";

  private final Method method;
  private final Class<?> type;
  private final UnaryOperator<String> placeholders;
  private final CallKeyReader keys;

  AnnotationReader(
      Method method, Class<?> type, UnaryOperator<String> placeholders, CallKeyReader keys) {
    this.keys = keys;
    this.method = method;
    this.type = type;
    this.placeholders = placeholders;
  }

  /**
   * Reads it.
   *
   * @param defaultName its name, if it was given none
   * @param shownName what clients see of that, which says nothing of the class
   */
  Budget budget(Said annotation, String defaultName, String shownName) {
    String value = resolved("value", annotation.value(), LIMIT_ACTION);
    Limit[] limits =
        checked("value", value, LIMIT_ACTION, () -> Limit.parseAll(value).toArray(Limit[]::new));
    String given = resolved("name", annotation.name(), NAME_ACTION);
    String name = given.isEmpty() ? defaultName : given;
    checked("name", name, NAME_ACTION, () -> Rule.of(name, limits[0]));
    Rule named = checked("value", value, DIFFERENT_ACTION, () -> Rule.of(name, limits));
    Rule shown = given.isEmpty() ? named.shownAs(shownName) : named;
    return new Budget(
        annotation.shadow() ? shown.shadow() : shown,
        key(annotation.by()),
        cost(annotation.cost()),
        onStoreError(annotation));
  }

  private CallKey key(String by) {
    String words = resolved("by", by, KEY_ACTION);
    return checked("by", words, KEY_ACTION, () -> keys.read(words));
  }

  private ToLongFunction<MethodCall> cost(String cost) {
    CallExpression expression = expression("cost", cost);
    return call -> expression == null ? 1 : units(expression.of(call));
  }

  private static long units(@Nullable Object cost) {
    if (cost == null) {
      return 1;
    }
    if (!(cost instanceof Number number)) {
      throw new IllegalStateException("cost must be a number: " + cost);
    }
    if (number instanceof Long || number instanceof Integer) {
      return number.longValue();
    }
    double units = number.doubleValue();
    return Double.isNaN(units) || units < 0 ? 1 : (long) Math.ceil(units);
  }

  private @Nullable CallExpression expression(String attribute, String text) {
    String expression = resolved(attribute, text, EXPRESSION_ACTION);
    return expression.isBlank()
        ? null
        : checked(
            attribute,
            expression,
            EXPRESSION_ACTION,
            () -> CallExpression.parse(expression, method));
  }

  private @Nullable OnStoreError onStoreError(Said annotation) {
    List<OnStoreError> given = annotation.onStoreError();
    if (given.size() > 1) {
      throw wrong(
          "onStoreError",
          given.toString(),
          "there must be one answer at most: " + given.size(),
          "Choose one of them.",
          null);
    }
    return given.isEmpty() ? null : given.get(0);
  }

  @Nullable Fallback fallback(List<Said> annotations) {
    for (Said annotation : annotations) {
      String name = annotation.fallback();
      if (!name.isEmpty()) {
        return checked("fallback", name, FALLBACK_ACTION, () -> Fallback.find(name, method, type));
      }
    }
    return null;
  }

  private String resolved(String attribute, String text, String action) {
    return checked(attribute, text, action, () -> placeholders.apply(text));
  }

  private <T> T checked(String attribute, String value, String action, Supplier<T> made) {
    try {
      return made.get();
    } catch (RuntimeException e) {
      String reason = e.getMessage() == null ? e.toString() : e.getMessage();
      throw wrong(attribute, value, reason, action, e);
    }
  }

  WrongAnnotationException wrong(
      String attribute, String value, String reason, String action, @Nullable Throwable cause) {
    String place = type.getName() + "." + method.getName();
    return new WrongAnnotationException(place, attribute, value, reason, action, cause);
  }
}
