package dev.stint.server.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.stint.lab.RedisServer;
import dev.stint.lab.TcpProxy;
import dev.stint.server.config.Bounds;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.StoreSettings;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ConnectionTest {

  @Test
  void quit_is_answered_and_nothing_after_it() {
    try (Served served = Served.start();
        RawClient client = served.client()) {
      client.send("PING\r\nQUIT\r\nPING\r\n");
      assertThat(client.toTheEnd()).isEqualTo("+PONG\r\n+OK\r\n");
    }
  }

  @Test
  void a_client_that_only_listens_any_more_gets_all_answers() {
    try (Served served = Served.start();
        RawClient client = served.client()) {
      client.send("PING\r\n".repeat(1000));
      client.sendNoMore();
      assertThat(client.toTheEnd()).isEqualTo("+PONG\r\n".repeat(1000));
    }
  }

  @Test
  void nonsense_is_told_before_the_connection_ends_although_more_is_sent() {
    try (Served served = Served.start();
        RawClient client = served.client()) {
      client.send("PING\r\n*x\r\n" + "more".repeat(10_000));
      assertThat(client.toTheEnd()).startsWith("+PONG\r\n-ERR Protocol error: invalid multibulk");
    }
  }

  @Test
  void a_client_that_does_not_read_is_not_read_from_and_gets_everything_in_the_end()
      throws Exception {
    int requests = 400_000;
    try (Served served = Served.start();
        RawClient client = served.client()) {
      String echo = "ECHO " + "x".repeat(100) + "\r\n";
      CompletableFuture<Void> sent =
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < requests / 1000; i++) {
                  client.send(echo.repeat(1000));
                }
              });
      byte[] answer = new byte[108];
      for (int i = 0; i < requests; i++) {
        if (i == 0) {
          await().pollDelay(Duration.ofMillis(300)).until(() -> true);
          assertThat(sent).isNotDone();
        }
        client.readFully(answer, answer.length);
      }
      assertThat(new String(answer, java.nio.charset.StandardCharsets.US_ASCII))
          .isEqualTo("$100\r\n" + "x".repeat(100) + "\r\n");
      sent.get();
    }
  }

  @Test
  void answers_keep_their_order_while_the_store_is_slow() {
    try (RedisServer redis = RedisServer.start();
        TcpProxy proxy = TcpProxy.to(redis.port())) {
      StoreSettings slow =
          new StoreSettings(proxy.uri(), 1000, 100, "order", Duration.ofSeconds(5), 1);
      try (Served served = Served.start(Served.configuration().withStore(slow));
          RawClient client = served.client()) {
        client.send("STINT.HIT export first\r\n");
        client.lines(7);
        proxy.latency(Duration.ofMillis(30));
        StringBuilder requests = new StringBuilder();
        StringBuilder expected = new StringBuilder();
        for (int i = 0; i < 500; i++) {
          requests.append("STINT.HIT export user" + i + " 2\r\nECHO e" + i + "\r\n");
          requests.append("CL.THROTTLE k" + i + " 0 1 60\r\nNOSUCH\r\n");
          expected.append("*6 :1 :10 :8 :0 :-1 :0 $" + ("e" + i).length() + " e" + i + " ");
          expected.append("*5 :0 :1 :0 :-1 :60 ");
          expected.append("-ERR unknown command 'NOSUCH', with args beginning with:  ");
        }
        client.send(requests + "QUIT\r\n");
        assertThat(client.toTheEnd().replace("\r\n", " ")).isEqualTo(expected + "+OK ");
      }
    }
  }

  @Test
  void a_dead_store_is_answered_for_and_a_reset_says_that_it_failed() {
    try (RedisServer redis = RedisServer.start()) {
      StoreSettings store = StoreSettings.at(redis.uri());
      try (Served served = Served.start(Served.configuration().withStore(store));
          RawClient client = served.client()) {
        client.send("STINT.HIT api user\r\n");
        assertThat(client.lines(7)).isEqualTo("*6 :1 :3 :2 :0 :20000 :0");
        redis.kill();
        client.send("STINT.HIT api user\r\n");
        assertThat(client.lines(7)).startsWith("*6 :1 :3 :2 :0 ").endsWith(" :1");
        assertThat(client.ask("STINT.RESET api user"))
            .isEqualTo("-ERR the store cannot be reached; try again");
      }
    }
  }

  @Test
  void only_so_many_may_connect() {
    Bounds usual = Bounds.standard();
    Bounds two =
        new Bounds(
            usual.body(),
            usual.headers(),
            usual.key(),
            usual.batch(),
            usual.descriptors(),
            2,
            usual.idle(),
            usual.drain());
    Configuration configuration = Served.configuration().withBounds(two);
    try (Served served = Served.start(configuration);
        RawClient first = served.client()) {
      assertThat(first.ask("PING")).isEqualTo("+PONG");
      try (RawClient second = served.client()) {
        assertThat(second.ask("PING")).isEqualTo("+PONG");
        try (RawClient third = served.client()) {
          assertThat(third.line()).isEqualTo("(end)");
        }
      }
      await()
          .untilAsserted(
              () -> {
                try (RawClient another = served.client()) {
                  assertThat(another.ask("PING")).isEqualTo("+PONG");
                }
              });
    }
  }

  @Test
  void a_client_that_is_idle_or_trickles_is_hung_up_on() {
    Bounds usual = Bounds.standard();
    Bounds hasty =
        new Bounds(
            usual.body(),
            usual.headers(),
            usual.key(),
            usual.batch(),
            usual.descriptors(),
            10,
            Duration.ofMillis(300),
            usual.drain());
    try (Served served = Served.start(Served.configuration().withBounds(hasty));
        RawClient idle = served.client();
        RawClient trickling = served.client()) {
      await()
          .pollInterval(Duration.ofMillis(20))
          .atMost(Duration.ofSeconds(10))
          .ignoreExceptions()
          .until(
              () -> {
                try {
                  trickling.send("x");
                  return false;
                } catch (java.io.UncheckedIOException e) {
                  return true;
                }
              });
      assertThat(idle.toTheEnd()).isEmpty();
    }
  }

  @Test
  void a_service_that_stops_answers_what_it_was_asked() throws Exception {
    Served served = Served.start();
    try (RawClient client = served.client();
        RawClient idle = served.client()) {
      assertThat(client.ask("PING")).isEqualTo("+PONG");
      assertThat(idle.ask("PING")).isEqualTo("+PONG");
      client.send("PING\r\n".repeat(10_000));
      CompletableFuture<Void> closed = CompletableFuture.runAsync(served::close);
      assertThat(client.toTheEnd()).isEqualTo("+PONG\r\n".repeat(10_000));
      assertThat(idle.toTheEnd()).isEmpty();
      closed.get();
    }
  }
}
