package dev.stint.studio.report;

import dev.stint.studio.findings.Findings;
import dev.stint.studio.findings.FindingsJson;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Findings as one page that needs nothing else: no network, no other file.
 *
 * <p>The page is {@code report.html} with its style and its scripts put into it, and the findings
 * as a block of JSON that the scripts draw. Keys in the findings are chosen by whoever sends
 * requests, so two things keep them from becoming part of the page: the block has no character with
 * which it could end early, and a policy in the page lets nothing run but the script that was put
 * there, and nothing be fetched at all.
 */
public final class Report {

  /** In the order of their need: each uses what those before it define. */
  private static final List<String> SCRIPTS =
      List.of("words.js", "timeline.js", "refused.js", "distribution.js", "report.js");

  private static final String TEMPLATE = template();

  private Report() {}

  /** The page. */
  public static String of(Findings findings) {
    return TEMPLATE.replace("@findings@", harmless(FindingsJson.of(findings)));
  }

  /** Writes the page into a file. */
  public static void write(Findings findings, Path file) throws IOException {
    Files.writeString(file, of(findings));
  }

  /** The page without findings. */
  static String template() {
    String style = '\n' + resource("report.css");
    String script =
        SCRIPTS.stream().map(Report::resource).collect(Collectors.joining("\n", "\n", ""));
    String policy =
        "default-src 'none'; style-src '"
            + hash(style)
            + "'; script-src '"
            + hash(script)
            + "'; base-uri 'none'; form-action 'none'";
    return resource("report.html")
        .replace("@policy@", policy)
        .replace("@style@", style)
        .replace("@script@", script);
  }

  /**
   * The same JSON in characters that mean nothing to HTML. All that are replaced can only be within
   * strings. Those beyond ASCII are too: some end lines in scripts, and half a surrogate pair,
   * which a key may contain, cannot be written into a file.
   */
  private static String harmless(String json) {
    StringBuilder text = new StringBuilder(json.length());
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      if (c == '<' || c == '>' || c == '&' || c > '~') {
        text.append("\\u").append(String.format("%04x", (int) c));
      } else {
        text.append(c);
      }
    }
    return text.toString();
  }

  private static String hash(String text) {
    try {
      byte[] sum =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return "sha256-" + Base64.getEncoder().encodeToString(sum);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM must have SHA-256", e);
    }
  }

  /** A browser hashes lines that end as on Unix, however this file was checked out. */
  private static String resource(String name) {
    try (InputStream in = Report.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the jar must contain " + name + " beside Report");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
