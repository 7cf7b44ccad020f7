package dev.stint.http.servlet;

import dev.stint.http.Request;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A servlet's request as rules see it. */
final class ServletCall extends Request {

  private final HttpServletRequest request;

  ServletCall(HttpServletRequest request) {
    this.request = request;
  }

  @Override
  public String method() {
    return request.getMethod();
  }

  @Override
  public String path() {
    String whole = request.getRequestURI();
    String context = request.getContextPath();
    if (context == null || context.isEmpty()) {
      return whole;
    }
    return whole.startsWith(context) && !climbs(whole)
        ? whole.substring(context.length())
        : asMapped();
  }

  /** Whether a part of the path may lead out of the context, and back in. */
  private static boolean climbs(String path) {
    return path.contains("..") || path.contains("%2e") || path.contains("%2E");
  }

  /**
   * The path that the server itself made of one whose context is written in an odd way, such as
   * {@code /%73hop/orders} for {@code /shop/orders}: decoded, so what would be decoded again is
   * encoded.
   */
  private String asMapped() {
    String info = request.getPathInfo();
    String path = info == null ? request.getServletPath() : request.getServletPath() + info;
    return path.replace("%", "%25").replace(";", "%3B");
  }

  @Override
  public @Nullable String query() {
    return request.getQueryString();
  }

  @Override
  public List<String> headers(String name) {
    Enumeration<String> lines = request.getHeaders(name);
    return lines == null || !lines.hasMoreElements() ? List.of() : Collections.list(lines);
  }

  @Override
  public @Nullable String peer() {
    return request.getRemoteAddr();
  }

  @Override
  public @Nullable String principal() {
    Principal principal = request.getUserPrincipal();
    return principal == null ? null : principal.getName();
  }
}
