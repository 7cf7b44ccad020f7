package dev.stint.server.config;

import dev.stint.Spelling;
import dev.stint.redis.RedisStore;
import java.time.Duration;
import java.util.List;

/** Reads {@code store}. */
final class StorePart {

  private static final List<String> SCHEMES =
      List.of("memory", "redis", "rediss", "redis-cluster", "rediss-cluster", "redis-sentinel");

  private static final long MOST_KEYS = 1L << 30;

  private StorePart() {}

  static StoreSettings read(Context in, Yaml yaml) {
    if (yaml instanceof Yaml.Scalar) {
      return Section.read("store", yaml, in.mistakes(), StorePart::url)
          .map(StoreSettings::at)
          .orElse(StoreSettings.memory());
    }
    StoreSettings usual = StoreSettings.memory();
    Section store =
        in.section(
            "store", yaml, "url", "max-keys", "request-keys", "prefix", "deadline", "instances");
    long maxKeys = store.number("max-keys", usual.maxKeys(), 1, MOST_KEYS);
    return new StoreSettings(
        store.read("url", StorePart::url).orElse(usual.url()),
        maxKeys,
        store.number("request-keys", StoreSettings.requestKeys(maxKeys), 1, MOST_KEYS),
        store.read("prefix", StorePart::prefix).orElse(usual.prefix()),
        store.duration("deadline", usual.deadline(), Duration.ofMillis(1), Duration.ofSeconds(10)),
        store.number("instances", usual.instances(), 1, 10_000));
  }

  /**
   * The address of a store, checked without going there.
   *
   * @throws IllegalArgumentException with the end of a sentence; an address may hold a password, so
   *     that of a wrong one only the beginning is shown
   */
  static String url(String text) {
    if (text.equals("memory")) {
      return text;
    }
    int end = text.indexOf("://");
    String scheme = end < 0 ? "" : text.substring(0, end);
    if (!SCHEMES.contains(scheme) || scheme.equals("memory")) {
      boolean secret = end < 0 && (text.indexOf('@') >= 0 || text.indexOf(':') >= 0);
      String word = end < 0 ? text : scheme;
      throw new IllegalArgumentException(
          "must be memory, redis://host:port, redis-cluster://host:port,… or"
              + " redis-sentinel://host:port,…/0#master, was "
              + (secret ? "none of them" : Quote.of(word) + Spelling.hint(word, SCHEMES, "")));
    }
    try {
      RedisStore.builder(text);
      return text;
    } catch (RuntimeException e) { // whatever the client's parser makes of hostile text
      throw new IllegalArgumentException(
          "must be an address such as " + scheme + "://host:6379, and this one cannot be read", e);
    }
  }

  private static String prefix(String text) {
    if (text.isEmpty() || text.length() > 64 || !text.matches("[!-~&&[^{}]]*")) {
      throw Scalars.wrong("must be 1 to 64 visible ASCII characters without braces", text, "");
    }
    return text;
  }
}
