package dev.stint.server.http;

import dev.stint.Limit;
import java.util.HashMap;
import java.util.Map;

/**
 * Limits as they were configured: without the name of the policy, which they carry while they are
 * counted.
 */
final class LimitTexts {

  private static final int MOST = 2000;
  private static final String NAMED = " named ";

  private final Map<Limit, byte[]> known = new HashMap<>();

  /** The text of a limit of this policy, in quotation marks. */
  byte[] of(Limit limit, String policy) {
    byte[] text = known.get(limit);
    if (text == null) {
      text = JsonBytes.ascii('"' + configured(limit, policy) + '"');
      if (known.size() >= MOST) { // requests bring limits of their own
        known.clear();
      }
      known.put(limit, text);
    }
    return text;
  }

  private static String configured(Limit limit, String policy) {
    String text = limit.toString();
    String name = limit.name();
    if (!text.endsWith(NAMED + name)) {
      return text;
    }
    String bare = text.substring(0, text.length() - NAMED.length() - name.length());
    return name.startsWith(policy + ".")
        ? bare + NAMED + name.substring(policy.length() + 1)
        : bare;
  }
}
