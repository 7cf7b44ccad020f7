package dev.stint.spring;

import dev.stint.http.Request;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;

/** A WebFlux request as rules see it. */
final class WebFluxCall extends Request {

  private final ServerHttpRequest request;
  private final @Nullable Principal principal;
  private final @Nullable String template;
  private final @Nullable ConnectionPeer peer;

  /**
   * A request as rules see it.
   *
   * @param template the pattern of its handler; null if it is not known
   * @param peer the other end of its connection, where the server shows another; else null
   */
  WebFluxCall(
      ServerHttpRequest request,
      @Nullable Principal principal,
      @Nullable String template,
      @Nullable ConnectionPeer peer) {
    this.request = request;
    this.principal = principal;
    this.template = template;
    this.peer = peer;
  }

  @Override
  public String method() {
    return request.getMethod().name();
  }

  @Override
  public String path() {
    return request.getPath().pathWithinApplication().value();
  }

  @Override
  public @Nullable String query() {
    return request.getURI().getRawQuery();
  }

  @Override
  public List<String> headers(String name) {
    if (peer != null && name.equalsIgnoreCase(ConnectionPeer.HEADER)) {
      return peer.forwardedFor();
    }
    HttpHeaders headers = request.getHeaders();
    if (headers.getFirst(name) == null) {
      return List.of();
    }
    // Not get(name): Spring 6 has it with an Object, Spring 7 with a String.
    List<String> all = new ArrayList<>();
    headers.forEach(
        (found, lines) -> {
          if (found.equalsIgnoreCase(name)) {
            all.addAll(lines);
          }
        });
    return all;
  }

  @Override
  public @Nullable String peer() {
    if (peer != null) {
      return peer.address();
    }
    InetSocketAddress remote = request.getRemoteAddress();
    if (remote == null) {
      return null;
    }
    InetAddress address = remote.getAddress();
    // None where Spring has read forwarded headers: what they say is not looked up.
    return address == null ? remote.getHostString() : address.getHostAddress();
  }

  @Override
  public @Nullable String principal() {
    return principal == null ? null : principal.getName();
  }

  @Override
  protected @Nullable String template() {
    return template;
  }
}
