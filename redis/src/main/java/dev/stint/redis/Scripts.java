package dev.stint.redis;

import dev.stint.algorithm.Script;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The Lua that a store sends: one script for each set of algorithms that meet in a call, and a
 * library of one function with all of them.
 */
final class Scripts {

  /** A script and the name by which a server knows it. */
  record Loaded(String source, String sha) {}

  /** A library and its name, which is also its function's. */
  record Library(String source, String name) {}

  /** Versions of Stint that share a server must not replace each other's library. */
  private static final int HASH_DIGITS = 16;

  private static final int SETS = 1 << (Script.values().length + 1);

  // A set of algorithms is the bits of their numbers.
  private final AtomicReferenceArray<Loaded> scripts = new AtomicReferenceArray<>(SETS);
  private volatile @Nullable Library library;

  /** The bit that stands for an algorithm in a set of them. */
  static int bit(Script script) {
    return 1 << script.number();
  }

  /** The script of the algorithms whose bits are in {@code set}. */
  Loaded of(int set) {
    Loaded known = scripts.get(set);
    if (known == null) {
      known = make(set);
      scripts.set(set, known);
    }
    return known;
  }

  /** The library for servers that have functions. */
  Library library() {
    Library known = library;
    if (known == null) {
      known = makeLibrary();
      library = known;
    }
    return known;
  }

  private static Library makeLibrary() {
    String body = body(EnumSet.allOf(Script.class));
    String name = "stint_" + sha1(body).substring(0, HASH_DIGITS);
    String source =
        "#!lua name=%s\n%sredis.register_function('%s', answerAll)\n".formatted(name, body, name);
    return new Library(source, name);
  }

  private static Loaded make(int set) {
    EnumSet<Script> chosen = EnumSet.noneOf(Script.class);
    for (Script script : Script.values()) {
      if ((set & bit(script)) != 0) {
        chosen.add(script);
      }
    }
    String source = body(chosen) + "return answerAll(KEYS, ARGV)\n";
    return new Loaded(source, sha1(source));
  }

  private static String body(EnumSet<Script> algorithms) {
    String bytes = algorithms.contains(Script.SLIDING_LOG) ? read("bytes.lua") : "";
    return bytes + Script.of(algorithms) + read("main.lua");
  }

  private static String read(String file) {
    try (InputStream in = Scripts.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException(file + " must lie beside the classes of Stint");
      }
      return Script.withoutComments(new String(in.readAllBytes(), StandardCharsets.UTF_8)) + "\n";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String sha1(String source) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-1");
      return HexFormat.of().formatHex(digest.digest(source.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-1", e);
    }
  }
}
