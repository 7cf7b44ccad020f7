package dev.stint.server.config;

import dev.stint.server.config.Yaml.Scalar;
import java.util.regex.Pattern;

/** What may be the name of a policy or a client. */
final class Names {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}");

  private Names() {}

  /** Notes a name that may not be. The first character is none that names of our own begin with. */
  static void check(String what, Scalar name, Mistakes mistakes) {
    if (!isName(name.text())) {
      mistakes.add(
          name.place(),
          what
              + " must be 1 to 64 of the characters A-Z a-z 0-9 _ . - and begin with a letter or"
              + " digit: "
              + Quote.of(name.text()));
    }
  }

  static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }
}
