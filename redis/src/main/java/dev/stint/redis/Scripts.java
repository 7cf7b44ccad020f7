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

/** The scripts that a store sends: one for each set of algorithms that meet in a call. */
final class Scripts {

  /** A script and the name by which a server knows it. */
  record Loaded(String source, String sha) {}

  private static final int SETS = 1 << (Script.values().length + 1);

  // A set of algorithms is the bits of their numbers.
  private final AtomicReferenceArray<Loaded> scripts = new AtomicReferenceArray<>(SETS);

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

  private static Loaded make(int set) {
    EnumSet<Script> chosen = EnumSet.noneOf(Script.class);
    for (Script script : Script.values()) {
      if ((set & bit(script)) != 0) {
        chosen.add(script);
      }
    }
    String bytes = chosen.contains(Script.SLIDING_LOG) ? read("bytes.lua") : "";
    String source = bytes + Script.of(chosen) + read("main.lua");
    return new Loaded(source, sha1(source));
  }

  private static String read(String file) {
    try (InputStream in = Scripts.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException(file + " must lie beside the classes of Stint");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
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
