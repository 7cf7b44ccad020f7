package dev.stint.server.config;

import dev.stint.Limit;
import dev.stint.http.HeaderFormat;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** The words of the file for closed choices, in the order in which they are listed. */
final class Words {

  static final Map<String, OnStoreError> ON_STORE_ERROR = of(OnStoreError.values(), Words::lower);

  static final Map<String, HeaderFormat> HEADERS = of(HeaderFormat.values(), Words::lower);

  static final Map<String, Permission> PERMISSIONS = of(Permission.values(), Words::lower);

  /** All algorithms that have a window. */
  static final Map<String, Limit.Kind> ALGORITHMS = algorithms();

  /** Whether a policy only watches. */
  static final Map<String, Boolean> MODES =
      of(new Boolean[] {false, true}, shadow -> shadow ? "shadow" : "enforce");

  /** Whether the block of RLaaS asks for sliding windows. */
  static final Map<String, Boolean> SIMPLE_ALGORITHMS =
      of(
          new Boolean[] {false, true},
          sliding -> sliding ? "sliding-window-algo" : "fixed-window-algo");

  /** Whether logs are JSON. */
  static final Map<String, Boolean> LOGS =
      of(new Boolean[] {false, true}, json -> json ? "json" : "plain");

  private Words() {}

  private static Map<String, Limit.Kind> algorithms() {
    Map<String, Limit.Kind> words = new LinkedHashMap<>(of(Limit.Kind.values(), Limit.Kind::word));
    words.remove(Limit.Kind.QUOTA.word());
    return Collections.unmodifiableMap(words);
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static <T> Map<String, T> of(T[] values, Function<? super T, String> word) {
    Map<String, T> words = new LinkedHashMap<>();
    for (T value : values) {
      words.put(word.apply(value), value);
    }
    return Collections.unmodifiableMap(words);
  }
}
