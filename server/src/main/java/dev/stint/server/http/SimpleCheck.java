package dev.stint.server.http;

import static dev.stint.server.http.JsonBytes.ascii;

import dev.stint.Decision;
import java.time.Duration;

/**
 * The answer of the simple check, as RLaaS gives it: {@code
 * {"allowed":true,"currentCount":1,"ttl":60}}.
 *
 * <p>The count includes this request, also where a denied one is not counted. The time to live is
 * that of the key: of a fixed window to the window's end, of all others until the key is as good as
 * new; and -1, as Redis says it, if that never comes.
 */
final class SimpleCheck {

  private static final byte[] ALLOWED = ascii("{\"allowed\":");
  private static final byte[] CURRENT_COUNT = ascii(",\"currentCount\":");
  private static final byte[] TTL = ascii(",\"ttl\":");

  private SimpleCheck() {}

  static void write(JsonBytes out, boolean allowed, Decision decision) {
    out.raw(ALLOWED).bool(allowed);
    out.raw(CURRENT_COUNT).number(currentCount(decision));
    out.raw(TTL).number(ttl(decision.resetAfter())).raw('}');
  }

  private static long currentCount(Decision decision) {
    boolean uncounted = !decision.allowed() && !decision.limit().countsDenied();
    // A store that counts nothing says zero, but this request is one.
    return Math.max(1, uncounted ? decision.used() + 1 : decision.used());
  }

  private static long ttl(Duration reset) {
    if (reset.equals(Decision.NEVER)) {
      return -1;
    }
    return reset.getSeconds() + (reset.getNano() > 0 ? 1 : 0);
  }
}
