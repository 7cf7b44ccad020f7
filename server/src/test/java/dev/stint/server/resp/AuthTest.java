package dev.stint.server.resp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.server.config.ClientSettings;
import dev.stint.server.config.Clients;
import dev.stint.server.config.Secret;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;

class AuthTest {

  private final Served served = Served.forClientsOnly();
  private final RawClient client = served.client();

  @AfterEach
  void close() {
    client.close();
    served.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"STINT.HIT api k", "CL.THROTTLE k 1 1 1", "INFO", "STINT.HIT"})
  void without_a_token_nothing_is_answered(String request) {
    assertThat(client.ask(request)).isEqualTo("-NOAUTH Authentication required.");
  }

  @Test
  void without_a_token_a_client_may_be_polite() {
    assertThat(client.ask("PING")).isEqualTo("+PONG");
    assertThat(client.ask("QUIT")).isEqualTo("+OK");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "AUTH \"open sesame\"",
        "AUTH default \"open sesame\"",
        "AUTH shop \"open sesame\"",
        "HELLO 2 AUTH shop \"open sesame\""
      })
  void a_token_opens(String request) {
    assertThat(client.ask(request)).isIn("+OK", "*14");
    client.send("STINT.PEEK api k\r\nQUIT\r\n");
    assertThat(client.toTheEnd()).endsWith("*6\r\n:1\r\n:3\r\n:3\r\n:0\r\n:0\r\n:0\r\n+OK\r\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "AUTH sesame",
        "AUTH other \"open sesame\"",
        "AUTH shop \"\"",
        "HELLO 3 AUTH shop sesame"
      })
  void another_token_does_not(String request) {
    assertThat(client.ask(request))
        .isEqualTo("-WRONGPASS invalid username-password pair or user is disabled.");
    assertThat(client.ask("INFO")).isEqualTo("-NOAUTH Authentication required.");
  }

  @Test
  void a_reset_forgets_who_is_there() {
    client.ask("AUTH \"open sesame\"");
    assertThat(client.ask("RESET")).isEqualTo("+RESET");
    assertThat(client.ask("INFO")).isEqualTo("-NOAUTH Authentication required.");
  }

  @Test
  void jedis_comes_in_with_its_password() {
    DefaultJedisClientConfig config =
        DefaultJedisClientConfig.builder().user("shop").password("open sesame").build();
    try (Jedis jedis = new Jedis(new HostAndPort("127.0.0.1", served.port()), config)) {
      assertThat(jedis.echo("hi")).isEqualTo("hi");
    }
  }

  @Test
  void a_token_that_is_taken_back_opens_no_more_and_one_that_stays_does() {
    client.ask("AUTH \"open sesame\"");

    served.service.reload(
        Served.configuration()
            .withClients(
                Clients.of(
                    Map.of(
                        "new",
                        ClientSettings.changing(Secret.of("wheat")),
                        "shop",
                        ClientSettings.changing(Secret.of("open sesame"))))));
    assertThat(client.ask("ECHO hi")).isEqualTo("$2");
    client.line();
    served.service.reload(
        Served.configuration()
            .withClients(
                Clients.of(Map.of("shop", ClientSettings.changing(Secret.of("open barley"))))));
    assertThat(client.ask("ECHO hi")).isEqualTo("-NOAUTH Authentication required.");
    assertThat(client.ask("AUTH \"open barley\"")).isEqualTo("+OK");
  }

  @Test
  void who_came_while_the_gate_was_open_needs_a_token_once_it_is_shut() {
    served.service.reload(Served.configuration());
    assertThat(client.ask("AUTH anything")).isEqualTo("+OK");

    served.service.reload(
        Served.configuration()
            .withClients(
                Clients.of(Map.of("shop", ClientSettings.changing(Secret.of("open sesame"))))));
    assertThat(client.ask("ECHO hi")).isEqualTo("-NOAUTH Authentication required.");
  }
}
