package dev.stint.server.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.server.config.Listener;
import dev.stint.server.config.Listeners;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class PortCheckTest {

  private static final Listener OFF = Listener.on(Listener.OFF);
  private static final Listener ANY = Listener.on("127.0.0.1", 0);

  private static ServerSocket taken() throws IOException {
    return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  @Test
  void a_port_in_use_is_named_with_the_flag_to_change_it() throws IOException {
    try (ServerSocket taken = taken()) {
      Listener resp = Listener.on("127.0.0.1", taken.getLocalPort());
      assertThat(PortCheck.of(new Listeners(OFF, ANY, resp, OFF)))
          .containsExactly(
              "resp cannot listen on 127.0.0.1:"
                  + taken.getLocalPort()
                  + ", which is in use; choose another port with --resp PORT, or 0 for a free one");
    }
  }

  @Test
  void free_ports_are_no_trouble() {
    assertThat(PortCheck.of(new Listeners(ANY, ANY, ANY, ANY))).isEmpty();
  }

  @Test
  void an_address_of_another_machine_is_refused() {
    Listener foreign = Listener.on("203.0.113.9", 0);
    assertThat(PortCheck.of(new Listeners(ANY, foreign, OFF, OFF)))
        .containsExactly(
            "grpc must listen on an address of this machine, and 203.0.113.9 is not one; choose"
                + " another with --grpc ADDRESS:PORT");
  }

  @Test
  void a_name_that_cannot_be_resolved_is_refused_before_the_start() {
    Listener unknown = Listener.on("no-such-host.invalid", 0);
    String sentence =
        "http must listen on an address of this machine, and 'no-such-host.invalid' cannot be"
            + " resolved; choose another with --http ADDRESS:PORT";
    assertThat(PortCheck.unknownHosts(new Listeners(unknown, ANY, ANY, ANY)))
        .containsExactly(sentence);
    assertThat(PortCheck.of(new Listeners(unknown, ANY, ANY, ANY))).containsExactly(sentence);
  }

  @Test
  void what_the_system_says_becomes_a_sentence() {
    Listener http = Listener.on(80);
    assertThat(PortCheck.sentence("http", http, "Permission denied"))
        .isEqualTo(
            "http cannot listen on port 80, which this user is not permitted to open; choose a port"
                + " from 1024 on with --http PORT, or give the process CAP_NET_BIND_SERVICE");
    Listener six = Listener.on("::1", 8080);
    assertThat(PortCheck.sentence("http", six, "Protocol family unavailable"))
        .isEqualTo(
            "http cannot listen on [::1]:8080, because this machine has no IPv6; choose another"
                + " address with --http ADDRESS:PORT, such as 127.0.0.1:8080");
    assertThat(
            PortCheck.sentence(
                "http", http, "bind(..) failed with error(-98): Address already in use"))
        .isEqualTo(
            "http cannot listen on port 80, which is in use; choose another port with --http PORT,"
                + " or 0 for a free one");
  }

  /** In a process of its own: libraries must not write anything beside the sentence either. */
  @Test
  @Timeout(120)
  void a_service_that_is_started_twice_says_so_in_one_sentence(@TempDir Path folder)
      throws Exception {
    try (ServerSocket http = taken();
        ServerSocket grpc = taken();
        ServerSocket resp = taken();
        ServerSocket admin = taken()) {
      ServeProcess all = ServeProcess.run(folder, flags(http, grpc, resp, admin));
      assertThat(all.sentences())
          .isEqualTo(
              String.format(
                  "stint serve: http, grpc, resp and admin cannot listen on 127.0.0.1:%d,"
                      + " 127.0.0.1:%d, 127.0.0.1:%d and 127.0.0.1:%d, which are in use; choose"
                      + " other ports with --http PORT, --grpc PORT, --resp PORT and --admin PORT,"
                      + " or 0 for a free one%n",
                  http.getLocalPort(),
                  grpc.getLocalPort(),
                  resp.getLocalPort(),
                  admin.getLocalPort()));
      assertThat(all.out()).isEmpty();
      assertThat(all.exitCode()).isEqualTo(1);
    }
  }

  private static String[] flags(ServerSocket... sockets) {
    List<String> wires = List.of("--http", "--grpc", "--resp", "--admin");
    String[] flags = new String[2 * sockets.length];
    for (int i = 0; i < sockets.length; i++) {
      flags[2 * i] = wires.get(i);
      flags[2 * i + 1] = "127.0.0.1:" + sockets[i].getLocalPort();
    }
    return flags;
  }

  @Test
  @Timeout(120)
  void each_listener_alone_says_so_in_one_sentence(@TempDir Path folder) throws Exception {
    try (ServerSocket taken = taken()) {
      for (String wire : List.of("http", "grpc", "resp", "admin")) {
        String[] flags = {
          "--http", "127.0.0.1:0", "--grpc", "127.0.0.1:0", "--resp", "127.0.0.1:0", "--admin", "0"
        };
        flags[2 * List.of("http", "grpc", "resp", "admin").indexOf(wire) + 1] =
            "127.0.0.1:" + taken.getLocalPort();
        ServeProcess one = ServeProcess.run(folder, flags);
        assertThat(one.sentences())
            .isEqualTo(
                String.format(
                    "stint serve: %s cannot listen on 127.0.0.1:%d, which is in use; choose another"
                        + " port with --%s PORT, or 0 for a free one%n",
                    wire, taken.getLocalPort(), wire));
        assertThat(one.exitCode()).isEqualTo(1);
      }
    }
  }
}
