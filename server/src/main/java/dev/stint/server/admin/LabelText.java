package dev.stint.server.admin;

import java.util.HexFormat;

/** Values of labels: bounded in length, so that a scrape is bounded in size. */
final class LabelText {

  /** What has no series of its own is counted under this. */
  static final String OTHER = "_other";

  /** The longest value of a label, in characters. */
  static final int LONGEST = 128;

  private static final int HASH = 9;

  private LabelText() {}

  /** The text itself, or if it is too long its beginning and a hash, so that it stays distinct. */
  static String of(String text) {
    return text.length() <= LONGEST
        ? text
        : text.substring(0, LONGEST - HASH) + '~' + HexFormat.of().toHexDigits(text.hashCode());
  }
}
