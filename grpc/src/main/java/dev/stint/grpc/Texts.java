package dev.stint.grpc;

import dev.stint.http.Answer;
import io.grpc.Metadata;
import java.util.Locale;
import java.util.regex.Pattern;

/** Header fields as gRPC's metadata has them: names in small letters, values in ASCII. */
final class Texts {

  private static final Pattern NAME = Pattern.compile("[a-z0-9_.-]+");

  private Texts() {}

  /** Whether text can stand under this name; what ends in -bin is bytes. */
  static boolean canName(String lower) {
    return NAME.matcher(lower).matches() && !lower.endsWith(Metadata.BINARY_HEADER_SUFFIX);
  }

  static Metadata.Key<String> key(String name) {
    return Metadata.Key.of(name.toLowerCase(Locale.ROOT), Metadata.ASCII_STRING_MARSHALLER);
  }

  /**
   * The metadata with the answer's fields. What is there already stays: the handler's own, or those
   * of an interceptor nearer to it, which speak of this answer too.
   */
  static Metadata with(Answer answer, Metadata metadata) {
    Metadata all = new Metadata(); // a handler may use one and the same for all its calls
    all.merge(metadata);
    answer.headers(
        (name, value) -> {
          Metadata.Key<String> key = key(name);
          if (!all.containsKey(key)) {
            all.put(key, value);
          }
        });
    return all;
  }
}
