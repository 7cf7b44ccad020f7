package dev.stint.lab;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The server program the lab runs: the Redis that the test dependency carries for this platform, or
 * the {@code redis-server} or {@code valkey-server} named by the system property {@value
 * #PROPERTY}.
 */
record RedisBinary(Path path, String version) {
  static final String PROPERTY = "stint.redis.server";

  private static final Pattern VERSION = Pattern.compile("\\bv=(\\S+)");
  private static @Nullable RedisBinary current;

  /** Gives the program of this JVM; a carried one is unpacked at the first call. */
  static synchronized RedisBinary get() {
    RedisBinary known = current;
    if (known == null) {
      String named = System.getProperty(PROPERTY, "");
      known = named.isEmpty() ? of(unpack(resourceName())) : of(Path.of(named));
      current = known;
    }
    return known;
  }

  static RedisBinary of(Path path) {
    return new RedisBinary(path, versionOf(path));
  }

  private static String resourceName() {
    return resourceName(System.getProperty("os.name", ""), System.getProperty("os.arch", ""));
  }

  static String resourceName(String osName, String osArch) {
    String os = osName.toLowerCase(Locale.ROOT);
    String arch = osArch.toLowerCase(Locale.ROOT);
    String system = os.startsWith("linux") ? "linux" : os.startsWith("mac") ? "darwin" : "";
    String machine =
        switch (arch) {
          case "amd64", "x86_64" -> "amd64";
          case "aarch64", "arm64" -> "arm64";
          default -> "";
        };
    if (system.isEmpty() || machine.isEmpty()) {
      throw new IllegalStateException(
          "the carried Redis runs on Linux and macOS, x86_64 and arm64: "
              + (osName + " " + osArch + "; name a redis-server or valkey-server with -D")
              + (PROPERTY + "=/path/to/it"));
    }
    return "/redis-server-7.0.15-" + system + "-" + machine;
  }

  private static Path unpack(String resource) {
    try (InputStream in = RedisBinary.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException(
            "embedded-redis must be on the class path, with the resource "
                + (resource + ", which was not found; add it, or name a server with -D")
                + (PROPERTY + "=/path/to/it"));
      }
      Path file = Files.createTempFile("stint-redis-server-", "");
      file.toFile().deleteOnExit();
      Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
      if (!file.toFile().setExecutable(true)) {
        throw new IOException("the file must become executable: " + file);
      }
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String versionOf(Path path) {
    String said;
    try {
      Process process =
          new ProcessBuilder(path.toString(), "--version").redirectErrorStream(true).start();
      said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(
          "the server program must be executable: " + path + "; see -D" + PROPERTY, e);
    }
    Matcher version = VERSION.matcher(said);
    if (!version.find()) {
      throw new IllegalStateException(
          path + " --version must say v=…: '" + said.strip() + "'; see -D" + PROPERTY);
    }
    return version.group(1);
  }
}
