package dev.stint.server.admin;

import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The page of the dashboard. It is the same for everybody and has no data in it; browsers run
 * exactly the script and style that are in it, and fetch from nowhere else.
 */
final class Dashboard {

  private static final String PAGE = read();
  private static final String POLICY =
      "default-src 'none'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none';"
          + " frame-ancestors 'none'; script-src"
          + hashes("script")
          + "; style-src"
          + hashes("style");

  private Dashboard() {}

  static boolean isWanted(HttpServerRequest request) {
    String accept = request.getHeader("Accept");
    return accept != null && accept.contains("text/html");
  }

  static String page() {
    return PAGE;
  }

  /** The {@code Content-Security-Policy} of the page. */
  static String policy() {
    return POLICY;
  }

  private static String read() {
    try (InputStream page = Dashboard.class.getResourceAsStream("dashboard.html")) {
      if (page == null) {
        throw new IllegalStateException("dashboard.html must be in the jar");
      }
      return new String(page.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String hashes(String element) {
    StringBuilder hashes = new StringBuilder();
    Matcher inline =
        Pattern.compile("<" + element + "[^>]*>(.*?)</" + element + ">", Pattern.DOTALL)
            .matcher(PAGE);
    while (inline.find()) {
      hashes.append(" 'sha256-").append(sha256(inline.group(1))).append('\'');
    }
    return hashes.isEmpty() ? " 'none'" : hashes.toString();
  }

  private static String sha256(String text) {
    try {
      return Base64.getEncoder()
          .encodeToString(
              MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
