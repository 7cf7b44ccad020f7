package dev.stint.server.resp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A browser that is made to send HTTP to this port sends no commands with it. */
class CrossProtocolTest {

  private final Served served = Served.start();

  @AfterEach
  void close() {
    served.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "POST / HTTP/1.1\r\nHost: localhost:6380\r\nContent-Length: 17\r\n\r\n",
        "GET /check?userId=alice HTTP/1.1\r\nAccept: */*\r\nHost: localhost:6380\r\n\r\n",
        "OPTIONS / HTTP/1.1\r\nHost: localhost:6380\r\n\r\n",
        "PUT /x HTTP/1.0\r\n\r\n",
        "post /\r\n",
        "Host: localhost\r\n",
        "HOST: localhost\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "*1\r\n$4\r\nPOST\r\n"
      })
  void is_closed_without_an_answer_before_the_body_is_read(String http) {
    try (RawClient browser = served.client()) {
      browser.send(http + "STINT.HIT api alice\r\nSTINT.HIT api alice\r\n");
      assertThat(browser.toTheEnd()).isEmpty();
    }
    try (RawClient client = served.client()) {
      client.send("STINT.PEEK api alice\r\nQUIT\r\n");
      assertThat(client.toTheEnd()).startsWith("*6\r\n:1\r\n:3\r\n:3\r\n");
    }
  }

  @Test
  void what_came_before_is_answered() {
    try (RawClient client = served.client()) {
      client.send("PING\r\nPOST / HTTP/1.1\r\nPING\r\n");
      assertThat(client.toTheEnd()).isEqualTo("+PONG\r\n");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET key", "SET key HTTP", "DELETE a b", "HOST"})
  void commands_of_redis_that_are_unknown_here_keep_their_connection(String request) {
    try (RawClient client = served.client()) {
      assertThat(client.ask(request)).startsWith("-ERR unknown command");
      assertThat(client.ask("PING")).isEqualTo("+PONG");
    }
  }
}
