package dev.stint.server.net;

import io.netty.util.NetUtil;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Recognises requests that a browser sends on behalf of a page from somewhere else. Such a page
 * cannot read the answer, but the request would be charged, or change counts. Programs send neither
 * of the two headers that this looks at.
 *
 * <p>{@code Sec-Fetch-Site} cannot be set by a page. Everything but {@code same-origin} and {@code
 * none} (the user typed the address) is refused, {@code same-site} too: another port of localhost
 * is the same site. Browsers send it over TLS and to localhost only.
 *
 * <p>Otherwise there may be an {@code Origin}, with every POST and with every request that a page
 * wants to read the answer of. It must be the address that the request was sent to. That is not
 * enough for a host name without TLS: whoever owns a name can let it point to this machine, after a
 * page has been loaded from his own (DNS rebinding), and the two are the same.
 */
public final class CrossSite {

  /** What to tell about a request that is refused. */
  public static final String SENTENCE =
      "a request must not come from a web page of another origin, and the browser says that this"
          + " one does (Sec-Fetch-Site, Origin); send it from a program";

  private static final CharSequence SEC_FETCH_SITE = HttpHeaders.createOptimized("sec-fetch-site");

  private CrossSite() {}

  /** Whether a browser marks this request as one of another origin's page. */
  public static boolean isMarked(HttpServerRequest request) {
    MultiMap headers = request.headers();
    String site = headers.get(SEC_FETCH_SITE);
    if (site != null && !site.equals("none")) {
      return !site.equals("same-origin");
    }
    String origin = headers.get(HttpHeaders.ORIGIN);
    return origin != null && !isOwn(origin, request.authority(), request.isSSL());
  }

  static boolean isOwn(String origin, @Nullable HostAndPort sentTo, boolean encrypted) {
    String scheme = encrypted ? "https://" : "http://";
    if (sentTo == null || !origin.regionMatches(true, 0, scheme, 0, scheme.length())) {
      return false;
    }
    HostAndPort from = HostAndPort.parseAuthority(origin.substring(scheme.length()), -1);
    int usual = encrypted ? 443 : 80;
    return from != null
        && from.host().equalsIgnoreCase(sentTo.host())
        && port(from, usual) == port(sentTo, usual)
        && (encrypted || isFixed(from.host()));
  }

  private static int port(HostAndPort address, int otherwise) {
    return address.port() < 0 ? otherwise : address.port();
  }

  /** Whether nobody can let this name point to another machine. */
  private static boolean isFixed(String host) {
    String name = host.toLowerCase(Locale.ROOT);
    return name.equals("localhost")
        || name.endsWith(".localhost")
        || NetUtil.isValidIpV4Address(name)
        || NetUtil.isValidIpV6Address(name);
  }
}
