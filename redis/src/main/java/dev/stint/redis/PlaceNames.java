package dev.stint.redis;

import dev.stint.Key;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * The names under which states are kept in Redis.
 *
 * <pre>{@code
 * stint:{k3_}1t1m:login/user:42
 *
 * stint:   the prefix
 * {k3_}    the tag, which says where in a cluster it lies
 * 1        the version of this format
 * t1m      the algorithm and the window
 * :login   the limit's name, if it has one
 * /        what the key is: / text, # bytes, = a number, ~ the hash of text, ^ the hash of bytes
 * user:42  the key
 * }</pre>
 *
 * <p>Injective: the tag has three characters; algorithm, window and name hold none of the marks,
 * and the key comes last. The tag is a checksum of the key, so that all limits of a key lie in one
 * slot, or of the tag that the caller gave; never a user's text, so no text can steer or break it.
 * Long keys, and text that is no Unicode, are hashed. Short names are worth a thought: they are
 * half of what a key costs in memory.
 */
final class PlaceNames {

  private static final int LONGEST = 64;
  private static final char VERSION = '1';
  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

  private static final List<Map.Entry<Duration, String>> UNITS =
      List.of(
          Map.entry(Duration.ofDays(1), "d"),
          Map.entry(Duration.ofHours(1), "h"),
          Map.entry(Duration.ofMinutes(1), "m"),
          Map.entry(Duration.ofSeconds(1), "s"),
          Map.entry(Duration.ofMillis(1), "ms"));

  private final byte[] prefix;

  PlaceNames(String prefix) {
    if (prefix == null || prefix.indexOf('{') >= 0 || prefix.indexOf('}') >= 0) {
      throw new IllegalArgumentException("prefix must not be null or hold braces: " + prefix);
    }
    this.prefix = prefix.getBytes(StandardCharsets.UTF_8);
  }

  /** What the name of a place says of its limit. */
  static byte[] terms(Limit limit) {
    String name = limit.name().isEmpty() ? "" : ":" + limit.name();
    String text = "" + VERSION + letter(limit.kind()) + window(limit) + name;
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** The name of the place where this limit counts this key. */
  byte[] of(KeyedLimit keyed, byte[] terms) {
    byte[] key = key(keyed.key());
    String group = keyed.tag();
    byte[] name = new byte[prefix.length + 5 + terms.length + key.length];
    ByteBuffer buffer = ByteBuffer.wrap(name).put(prefix).put((byte) '{');
    tag(buffer, group == null ? key : text(group));
    buffer.put((byte) '}').put(terms).put(key);
    return name;
  }

  /** A name with this tag, to ask the server that has its slot whether it is well. */
  byte[] probe(String tag) {
    byte[] text = ('{' + tag + '}' + VERSION + "/probe").getBytes(StandardCharsets.US_ASCII);
    return ByteBuffer.allocate(prefix.length + text.length).put(prefix).put(text).array();
  }

  private static void tag(ByteBuffer buffer, byte[] of) {
    CRC32C checksum = new CRC32C();
    checksum.update(of, 0, of.length);
    long bits = checksum.getValue();
    for (int shift = 12; shift >= 0; shift -= 6) {
      buffer.put((byte) character((int) (bits >>> shift) & 63));
    }
  }

  private static char character(int six) {
    return "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".charAt(six);
  }

  private static byte[] key(Key key) {
    Object value = key.value();
    if (value == null) {
      return ("=" + key.number()).getBytes(StandardCharsets.US_ASCII);
    }
    if (value instanceof byte[] bytes) {
      return bytes.length <= LONGEST ? marked('#', bytes) : hashed('^', ByteBuffer.wrap(bytes));
    }
    return text((String) value);
  }

  private static byte[] text(String text) {
    if (text.length() <= LONGEST && isUnicode(text)) {
      return marked('/', text.getBytes(StandardCharsets.UTF_8));
    }
    // By its UTF-16 units, which keep a lone surrogate apart from a question mark.
    ByteBuffer units = ByteBuffer.allocate(2 * text.length());
    units.asCharBuffer().put(text);
    return hashed('~', units);
  }

  private static boolean isUnicode(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        return StandardCharsets.UTF_8.newEncoder().canEncode(text);
      }
    }
    return true;
  }

  private static byte[] marked(char mark, byte[] bytes) {
    byte[] marked = new byte[bytes.length + 1];
    marked[0] = (byte) mark;
    System.arraycopy(bytes, 0, marked, 1, bytes.length);
    return marked;
  }

  private static byte[] hashed(char mark, ByteBuffer bytes) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(bytes);
      return marked(mark, BASE64.encode(digest.digest()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static char letter(Limit.Kind kind) {
    return switch (kind) {
      case FIXED_WINDOW -> 'w';
      case FIXED_WINDOW_PER_KEY -> 'k';
      case SLIDING_LOG -> 'l';
      case SLIDING_COUNTER -> 'c';
      case TOKEN_BUCKET -> 't';
      case LEAKY_BUCKET -> 'y';
      case QUOTA -> 'q';
    };
  }

  private static String window(Limit limit) {
    if (limit.kind() == Limit.Kind.QUOTA) {
      return "";
    }
    Duration window = limit.window();
    for (Map.Entry<Duration, String> unit : UNITS) {
      if (window.toNanos() % unit.getKey().toNanos() == 0) {
        return window.dividedBy(unit.getKey()) + unit.getValue();
      }
    }
    return window.toNanos() / 1000 + "us";
  }
}
