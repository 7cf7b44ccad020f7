package dev.stint.spring;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.util.ClassUtils;
import reactor.netty.http.server.HttpServerRequest;

/**
 * The other end of a request's connection, and the {@code X-Forwarded-For} that came over it,
 * behind what a server or Spring made of them.
 *
 * @param address the address, as text; null if the connection has none
 * @param forwardedFor the lines of the header
 */
record ConnectionPeer(@Nullable String address, List<String> forwardedFor) {

  static final String HEADER = "X-Forwarded-For";
  private static final boolean NETTY = isPresent("reactor.netty.http.server.HttpServerRequest");
  private static final boolean SERVLET = isPresent("jakarta.servlet.http.HttpServletRequest");

  private static boolean isPresent(String type) {
    return ClassUtils.isPresent(type, ConnectionPeer.class.getClassLoader());
  }

  /** Of a WebFlux request. */
  static ConnectionPeer of(ServerHttpRequest request) {
    Object server = ServerHttpRequestDecorator.getNativeRequest(request);
    if (NETTY && server instanceof HttpServerRequest netty) {
      return Netty.peer(netty);
    }
    if (SERVLET && server instanceof HttpServletRequest servlet) {
      return Servlet.peer(servlet);
    }
    return new ConnectionPeer(null, List.of()); // all that have none are counted as one
  }

  /** A servlet's request, with the address and the header as the server itself has them. */
  static HttpServletRequest asConnected(HttpServletRequest request) {
    return Servlet.asConnected(request);
  }

  /** Loaded only where Netty is there. */
  private static final class Netty {

    static ConnectionPeer peer(HttpServerRequest request) {
      return new ConnectionPeer(
          text(request.connectionRemoteAddress()), request.requestHeaders().getAll(HEADER));
    }

    private static @Nullable String text(@Nullable SocketAddress peer) {
      if (!(peer instanceof InetSocketAddress inet)) {
        return null;
      }
      InetAddress address = inet.getAddress();
      return address == null ? null : address.getHostAddress();
    }
  }

  /** Loaded only where servlets are there. */
  private static final class Servlet {

    static ConnectionPeer peer(HttpServletRequest request) {
      return new ConnectionPeer(
          request.getRemoteAddr(), Collections.list(request.getHeaders(HEADER)));
    }

    static HttpServletRequest asConnected(HttpServletRequest request) {
      ServletRequest innermost = request;
      while (innermost instanceof ServletRequestWrapper wrapper) {
        innermost = wrapper.getRequest();
      }
      return innermost instanceof HttpServletRequest server && server != request
          ? new AsConnected(request, server)
          : request;
    }
  }

  private static final class AsConnected extends HttpServletRequestWrapper {

    private final HttpServletRequest server;

    AsConnected(HttpServletRequest request, HttpServletRequest server) {
      super(request);
      this.server = server;
    }

    @Override
    public String getRemoteAddr() {
      return server.getRemoteAddr();
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
      return name.equalsIgnoreCase(HEADER) ? server.getHeaders(name) : super.getHeaders(name);
    }
  }
}
