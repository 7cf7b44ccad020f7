package dev.stint.server.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Reads a token, from the file itself, from a file of its own or from the environment. It is never
 * shown, not even a wrong one.
 */
final class SecretPart {

  static final String TOKEN = "token";
  static final String TOKEN_FILE = "token-file";
  static final String TOKEN_ENV = "token-env";

  private static final List<String> WORDS = List.of(TOKEN, TOKEN_FILE, TOKEN_ENV);
  private static final int SHORTEST = 16;

  private SecretPart() {}

  /** The token of a section, if one is given and right. */
  static Optional<Secret> read(Context in, Section section) {
    List<String> given = WORDS.stream().filter(section::has).toList();
    if (given.size() > 1) {
      section.wrong(
          given.get(1), "there must be one of " + String.join(", ", WORDS) + "; remove the others");
      return Optional.empty();
    }
    Optional<Secret> token = section.read(TOKEN, text -> secret("", text));
    if (token.isPresent()) {
      return token;
    }
    return section
        .read(TOKEN_FILE, text -> ofFile(in, text))
        .or(() -> section.read(TOKEN_ENV, text -> ofEnvironment(in, text)));
  }

  static boolean isGiven(Section section) {
    return WORDS.stream().anyMatch(section::has);
  }

  private static Secret ofFile(Context in, String text) {
    Path path = in.path().read(text);
    in.sources().add(path);
    try {
      return secret("must hold a token, and it ", TextFile.read(path).strip());
    } catch (TextFile.Unreadable e) {
      throw new IllegalArgumentException(Quote.of(path.toString()) + " " + e.getMessage(), e);
    }
  }

  private static Secret ofEnvironment(Context in, String name) {
    String text = in.environment().get(name);
    if (text == null) {
      throw new IllegalArgumentException(
          "must name a variable of the environment, and " + Quote.of(name) + " is not set; set it");
    }
    return secret("must name a variable with a token, and it ", text);
  }

  private static Secret secret(String before, String text) {
    if (text.length() < SHORTEST) {
      throw new IllegalArgumentException(
          before
              + ("must have at least " + SHORTEST + " characters, had " + text.length())
              + "; make one with: openssl rand -hex 32");
    }
    if (!text.chars().allMatch(c -> c > ' ' && c <= '~')) {
      throw new IllegalArgumentException(
          before + "must be visible ASCII characters only, without blanks");
    }
    return Secret.of(text);
  }
}
