package dev.stint.spring.method;

import dev.stint.Spelling;
import dev.stint.http.KeySource;
import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.springframework.core.NativeDetector;

/** Reads {@code by}: words that rules have too, or an expression over the arguments. */
final class CallKeyReader {

  private static final String ADDRESS = "address";
  private static final List<String> WORDS =
      List.of(ADDRESS, "bearer", "principal", "route", "tenant", CallKey.ALL);

  /** What every expression over arguments has, and no words do. */
  private static final Pattern EXPRESSION = Pattern.compile("[#@'\"({\\[]");

  private final Method method;
  private final boolean handler;
  private final WebRequests requests;

  /**
   * A reader.
   *
   * @param handler whether MVC or WebFlux calls the method to answer a request
   */
  CallKeyReader(Method method, boolean handler, WebRequests requests) {
    this.method = method;
    this.handler = handler && requests.arePresent();
    this.requests = requests;
  }

  CallKey read(String by) {
    String words = by.strip();
    if (words.equals(CallKey.ALL) || (words.isEmpty() && !handler)) {
      return new CallKey.Shared();
    }
    Supplier<KeySource> named = requests.named(words);
    if (named != null) {
      return ofRequest(words, named);
    }
    KeySource source;
    try {
      source = KeySource.parse(words.isEmpty() ? ADDRESS : words);
    } catch (IllegalArgumentException notWords) {
      return ofArguments(words, notWords);
    }
    return ofRequest(source.toString(), () -> source);
  }

  private CallKey ofArguments(String words, IllegalArgumentException notWords) {
    if (EXPRESSION.matcher(words).find() || CallExpression.mayBegin(words, method)) {
      return new CallKey.OfArguments(words, CallExpression.parse(words, method));
    }
    throw new IllegalArgumentException(
        notWords.getMessage() + Spelling.hint(words, WORDS, ""), notWords);
  }

  private CallKey ofRequest(String words, Supplier<KeySource> source) {
    if (!requests.arePresent()) {
      throw new IllegalArgumentException(
          "a key of web requests must not be used in an application without Spring MVC or"
              + " WebFlux: "
              + words);
    }
    if (requests.areReactive() && !CallShape.isReactive(method)) {
      if (!handler) {
        throw new IllegalArgumentException(
            "a method that counts by requests of WebFlux must be a handler, return a publisher or"
                + " suspend: it returns "
                + method.getReturnType().getSimpleName());
      }
      if (NativeDetector.inNativeImage()) {
        throw new IllegalArgumentException(
            "a handler of WebFlux that counts by requests must return a publisher or suspend in a"
                + " native image: it returns "
                + method.getReturnType().getSimpleName());
      }
    }
    return new CallKey.OfRequest(words, source, requests);
  }
}
