package dev.stint.http.servlet;

import dev.stint.http.Request;
import jakarta.servlet.http.HttpServletMapping;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A servlet's request as rules see it. Extend it for a framework on servlets that knows more of its
 * handlers than the pattern of the servlet.
 */
public class ServletCall extends Request {

  private final HttpServletRequest request;

  /** A view of this request. */
  public ServletCall(HttpServletRequest request) {
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
    return whole.startsWith(context) && endsSegment(whole, context.length())
        ? whole.substring(context.length())
        : asMapped();
  }

  private static boolean endsSegment(String path, int at) {
    return at == path.length() || path.charAt(at) == '/' || path.charAt(at) == ';';
  }

  /**
   * The path that the server itself made of one whose context is written in an odd way, such as
   * {@code /%73hop/orders} for {@code /shop/orders}: decoded, so what would be decoded again is
   * encoded.
   */
  private String asMapped() {
    return String.valueOf(decodedPath()).replace("%", "%25").replace(";", "%3B");
  }

  @Override
  protected @Nullable String decodedPath() {
    String info = request.getPathInfo();
    return info == null ? request.getServletPath() : request.getServletPath() + info;
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

  /** The pattern by which the servlet was found, such as {@code /orders/*}. */
  @Override
  protected @Nullable String template() {
    HttpServletMapping mapping = request.getHttpServletMapping();
    String pattern = mapping == null ? null : mapping.getPattern();
    return pattern == null || pattern.isEmpty() ? null : pattern;
  }

  @Override
  public @Nullable String principal() {
    Principal principal = request.getUserPrincipal();
    return principal == null ? null : principal.getName();
  }
}
