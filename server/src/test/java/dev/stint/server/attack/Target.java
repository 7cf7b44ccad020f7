package dev.stint.server.attack;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Where a service listens, and what its clients must know.
 *
 * @param addresses the address of each wire
 * @param token what clients must show; null if none is configured
 * @param tls what well-behaved clients encrypt with; null if nothing is encrypted
 */
record Target(
    Map<String, InetSocketAddress> addresses, @Nullable String token, @Nullable SSLContext tls) {

  static final String HTTP = "http";
  static final String GRPC = "grpc";
  static final String RESP = "resp";
  static final String ADMIN = "admin";

  static Target of(ServiceProcess service, @Nullable String token, @Nullable SSLContext tls) {
    return new Target(
        Map.of(
            HTTP, service.address(HTTP),
            GRPC, service.address(GRPC),
            RESP, service.address(RESP),
            ADMIN, service.address(ADMIN)),
        token,
        tls);
  }

  InetSocketAddress address(String wire) {
    return addresses.get(wire);
  }

  InetAddress host() {
    return addresses.get(HTTP).getAddress();
  }
}
