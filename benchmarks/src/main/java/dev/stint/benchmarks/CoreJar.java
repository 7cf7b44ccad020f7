package dev.stint.benchmarks;

import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.memory.MemoryStore;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * A build of stint-core to be measured.
 *
 * @param given the file as it was named
 * @param copy a copy of it, because the original may be rebuilt during the run
 * @param digest the first digits of its SHA-256
 */
record CoreJar(Path given, Path copy, String digest) {

  /** In a fork: the jar that the classes must come from. */
  private static final String PROPERTY = "stint.bench.core";

  private static final String CLASS_PATH = "java.class.path";
  private static final int DIGITS = 12;

  private static final List<Class<?>> API =
      List.of(RateLimiter.class, Limit.class, MemoryStore.class);

  /**
   * Copies a jar.
   *
   * @param name what the user calls it, for messages
   */
  static CoreJar of(String name, Path given, Path copy) throws IOException {
    String must = name + " must be a jar of stint-core: " + given;
    if (!Files.isRegularFile(given)) {
      throw new IllegalArgumentException(
          must + (Files.exists(given) ? " is not a file" : " does not exist"));
    }
    Files.copy(given, copy);
    try (ZipFile jar = new ZipFile(copy.toFile())) {
      for (Class<?> one : API) {
        String entry = one.getName().replace('.', '/') + ".class";
        if (jar.getEntry(entry) == null) {
          throw new IllegalArgumentException(must + " has no " + entry);
        }
      }
    } catch (ZipException e) {
      throw new IllegalArgumentException(must + " is not a jar", e);
    }
    return new CoreJar(given, copy, digest(copy));
  }

  private static String digest(Path file) throws IOException {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha.digest(Files.readAllBytes(file))).substring(0, DIGITS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK must have SHA-256", e);
    }
  }

  /** The option that has a fork refuse to run with other classes, see {@link #verify}. */
  String option() {
    return "-D" + PROPERTY + "=" + copy;
  }

  /**
   * Runs something whose forks have this jar in front of their class path. JMH gives its forks the
   * class path of this property.
   */
  <T> T inFront(Callable<T> run) throws Exception {
    String classPath = System.getProperty(CLASS_PATH);
    System.setProperty(CLASS_PATH, copy + File.pathSeparator + classPath);
    try {
      return run.call();
    } finally {
      System.setProperty(CLASS_PATH, classPath);
    }
  }

  /** In a fork started with {@link #option}: fails unless Stint's classes are the jar's. */
  static void verify() {
    String jar = System.getProperty(PROPERTY);
    if (jar != null) {
      for (Class<?> one : API) {
        Path actual = locationOf(one);
        if (!actual.equals(Path.of(jar))) {
          throw new IllegalStateException(
              one.getName() + " must come from " + jar + ": it came from " + actual);
        }
      }
    }
  }

  private static Path locationOf(Class<?> one) {
    try {
      return Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("the location of a class must be a file", e);
    }
  }

  /** A program that decides once, so that a jar with another API is found out at the start. */
  static final class Probe {

    private Probe() {}

    public static void main(String[] args) {
      verify();
      try (MemoryStore store = StintInMemory.store(1)) {
        StintInMemory.check(RateLimiter.of(store, Limit.parse("1/minute")).hit("probe"));
      }
    }
  }

  /** Fails unless the benchmarks run with this jar. */
  void probe() throws Exception {
    inFront(() -> Fork.run(Probe.class, List.of(option()), List.of()));
  }

  /** The file and its digest. */
  String describe() {
    return given + ", SHA-256 " + digest + "…";
  }
}
