package dev.stint.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.net.SocketAddress;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocalPeerTest {

  private static boolean isLoopback(String address) {
    return LocalPeer.isLoopback(SocketAddress.inetSocketAddress(4711, address));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "127.255.255.254",
        "::1",
        "0:0:0:0:0:0:0:1",
        "::ffff:127.0.0.1",
        "0:0:0:0:0:ffff:7f00:1"
      })
  void the_loopback_addresses_of_both_families_are_this_machine(String address) {
    assertThat(isLoopback(address)).isTrue();
  }

  @Test
  void an_address_may_come_with_the_number_of_its_interface() throws UnknownHostException {
    assertThat(isLoopback(InetAddress.getByName("::1%1"))).isTrue();
    assertThat(isLoopback(InetAddress.getByName("fe80::1%1"))).isFalse();
  }

  @Test
  void the_abandoned_way_to_write_ipv4_in_ipv6_is_no_loopback() throws UnknownHostException {
    assertThat(isLoopback(InetAddress.getByName("::127.0.0.1"))).isFalse();
  }

  @Test
  void an_address_of_ipv4_may_come_in_the_form_of_ipv6() throws UnknownHostException {
    byte[] mapped = new byte[16];
    mapped[10] = (byte) 0xff;
    mapped[11] = (byte) 0xff;
    mapped[12] = 127;
    mapped[15] = 1;
    assertThat(LocalPeer.isLoopback(mapped)).isTrue();
    assertThat(isLoopback(Inet6Address.getByAddress(null, mapped, 0))).isTrue();
    mapped[12] = 10;
    assertThat(LocalPeer.isLoopback(mapped)).isFalse();
    assertThat(isLoopback(Inet6Address.getByAddress(null, mapped, 0))).isFalse();
  }

  private static boolean isLoopback(InetAddress address) {
    return LocalPeer.isLoopback(
        SocketAddress.inetSocketAddress(new InetSocketAddress(address, 4711)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "10.0.0.7",
        "0.0.0.0",
        "128.0.0.1",
        "1.0.0.127",
        "::",
        "::2",
        "1::1",
        "fe80::1",
        "::ffff:10.0.0.7",
        "64:ff9b::7f00:1",
        "::ffff:0:127.0.0.1"
      })
  void all_others_are_not(String address) {
    assertThat(isLoopback(address)).isFalse();
  }

  @Test
  void what_is_no_address_is_not() throws UnknownHostException {
    assertThat(LocalPeer.isLoopback((SocketAddress) null)).isFalse();
    assertThat(LocalPeer.isLoopback(SocketAddress.domainSocketAddress("/run/stint"))).isFalse();
    assertThat(isLoopback("localhost.example")).isFalse();
  }
}
