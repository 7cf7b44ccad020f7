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
    boolean inside = context != null && !context.isEmpty() && whole.startsWith(context);
    return inside ? whole.substring(context.length()) : whole;
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
