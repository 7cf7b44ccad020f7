package dev.stint.server.config;

import java.util.regex.Pattern;

/** Where to listen, as one word: {@code 8080}, {@code 127.0.0.1:8080}, {@code off}. */
public final class ListenerText {

  private static final String MUST = "must be a port from 0 to 65535, address:port or 'off'";
  private static final Pattern V4 = Pattern.compile("(\\d{1,3})(\\.\\d{1,3}){3}");
  private static final Pattern V6 = Pattern.compile("[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*(%[A-Za-z0-9]+)?");
  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?");

  private ListenerText() {}

  /**
   * The listener {@code base} at this place.
   *
   * @throws IllegalArgumentException with the end of a sentence that begins with a name
   */
  public static Listener read(String text, Listener base) {
    if (text.equals("off")) {
      return base.port(Listener.OFF);
    }
    int colon = text.lastIndexOf(':');
    if (colon < 0) {
      return base.port(port(text, text));
    }
    return base.host(address(bare(text.substring(0, colon))))
        .port(port(text.substring(colon + 1), text));
  }

  /** Without the brackets of an IPv6 address. */
  private static String bare(String host) {
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }

  private static int port(String digits, String text) {
    try {
      return Math.toIntExact(Scalars.number(digits, 0, 65_535));
    } catch (IllegalArgumentException e) {
      String cure = text.equals("false") || text.equals("no") ? "; did you mean 'off'?" : "";
      throw Scalars.wrong(MUST, text, cure);
    }
  }

  /** An address or a name of this machine, as it is. */
  static String address(String text) {
    boolean right =
        V4.matcher(text).matches()
            ? isV4(text)
            : text.indexOf(':') >= 0 ? V6.matcher(text).matches() : isName(text);
    if (!right) {
      throw Scalars.wrong("must have an address such as 127.0.0.1, [::1] or localhost", text, "");
    }
    return text;
  }

  /** A name whose last part is a number would be an address that went wrong. */
  private static boolean isName(String text) {
    return NAME.matcher(text).matches()
        && !Character.isDigit(text.charAt(text.lastIndexOf('.') + 1));
  }

  private static boolean isV4(String text) {
    for (String part : text.split("\\.", -1)) {
      if (Integer.parseInt(part) > 255) {
        return false;
      }
    }
    return true;
  }
}
