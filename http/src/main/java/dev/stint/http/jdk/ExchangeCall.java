package dev.stint.http.jdk;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpPrincipal;
import dev.stint.http.Request;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An exchange of the JDK's server as rules see it. */
final class ExchangeCall extends Request {

  private final HttpExchange exchange;

  ExchangeCall(HttpExchange exchange) {
    this.exchange = exchange;
  }

  @Override
  public String method() {
    return exchange.getRequestMethod();
  }

  @Override
  public String path() {
    // As the server itself reads it to find the context, also of "//host/path".
    String path = exchange.getRequestURI().getRawPath();
    return path == null || path.isEmpty() ? "/" : path;
  }

  @Override
  protected @Nullable String decodedPath() {
    return exchange.getRequestURI().getPath();
  }

  @Override
  public @Nullable String query() {
    return exchange.getRequestURI().getRawQuery();
  }

  @Override
  public List<String> headers(String name) {
    List<String> lines = exchange.getRequestHeaders().get(name);
    return lines == null ? List.of() : lines;
  }

  @Override
  public @Nullable String peer() {
    InetAddress address = exchange.getRemoteAddress().getAddress();
    return address == null ? null : address.getHostAddress();
  }

  @Override
  public @Nullable String principal() {
    HttpPrincipal principal = exchange.getPrincipal();
    return principal == null ? null : principal.getUsername();
  }

  /** The path of the context, which is a prefix. */
  @Override
  protected String template() {
    return exchange.getHttpContext().getPath();
  }
}
