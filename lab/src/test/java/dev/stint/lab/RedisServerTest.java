package dev.stint.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RedisServerTest {
  private static final Duration SHORT = Duration.ofMillis(200);

  @Test
  void answers_when_started() {
    try (RedisServer server = RedisServer.start()) {
      assertThat(server.ask("PING")).isEqualTo("PONG");
      assertThat(server.uri()).isEqualTo("redis://127.0.0.1:" + server.port());
      assertThat(server.ask("INFO", "server")).contains(":" + server.version() + "\r\n");
    }
  }

  @Test
  void takes_arguments_as_on_its_command_line() {
    try (RedisServer server = RedisServer.start("--maxmemory", "12345678");
        Resp resp = server.resp()) {
      assertThat(resp.list("CONFIG", "GET", "maxmemory")).contains("12345678");
    }
  }

  @Test
  void uses_the_port_it_is_given() {
    int port = Ports.free();
    try (RedisServer server = RedisServer.start(settings -> settings.port(port))) {
      assertThat(server.port()).isEqualTo(port);
    }
  }

  @Test
  void is_silent_while_stopped_and_answers_after() {
    try (RedisServer server = RedisServer.start();
        Resp hasty = Resp.connect("127.0.0.1", server.port(), SHORT);
        Resp patient = server.resp()) {
      server.stop();
      assertThatThrownBy(() -> hasty.call("PING")).isInstanceOf(UncheckedIOException.class);
      assertThat(server.isAlive()).isTrue();

      server.cont();
      assertThat(patient.text("PING")).isEqualTo("PONG");
    }
  }

  @Test
  void is_gone_when_killed() {
    try (RedisServer server = RedisServer.start()) {
      server.kill();

      assertThat(server.isAlive()).isFalse();
      assertThatThrownBy(server::resp).hasMessageContaining("refused");
    }
  }

  @Test
  void keeps_what_it_answered_over_a_kill_if_asked_to() {
    try (RedisServer server = RedisServer.start(RedisServer.Settings::appendOnly)) {
      int port = server.port();
      server.ask("SET", "key", "kept");
      server.kill();
      server.restart();

      assertThat(server.ask("GET", "key")).isEqualTo("kept");
      assertThat(server.port()).isEqualTo(port);
    }
  }

  @Test
  void forgets_everything_over_a_restart_otherwise() {
    try (RedisServer server = RedisServer.start()) {
      server.ask("SET", "key", "lost");
      server.restart();

      try (Resp resp = server.resp()) {
        assertThat(resp.number("DBSIZE")).isZero();
      }
    }
  }

  @Test
  void asks_for_its_password() {
    try (RedisServer server = RedisServer.start(settings -> settings.password("secret"))) {
      assertThat(server.ask("PING")).isEqualTo("PONG");
      assertThat(server.uri()).isEqualTo("redis://:secret@127.0.0.1:" + server.port());
      try (Resp stranger = Resp.connect(server.port())) {
        assertThatThrownBy(() -> stranger.call("PING")).hasMessageStartingWith("NOAUTH");
      }
    }
  }

  @Test
  void knows_the_users_it_is_given() {
    try (RedisServer server =
            RedisServer.start(
                settings -> settings.acl("reader on >secret ~* +get").acl("default off"));
        Resp resp = server.resp()) {
      resp.text("AUTH", "reader", "secret");

      assertThat(resp.call("GET", "key")).isNull();
      assertThatThrownBy(() -> resp.call("SET", "key", "x")).hasMessageStartingWith("NOPERM");
    }
  }

  @Test
  void leaves_neither_process_nor_directory_even_if_stopped() {
    RedisServer server = RedisServer.start(RedisServer.Settings::appendOnly);
    Path directory = directoryOf(server);
    assertThat(directory).exists();
    server.stop();
    server.close();

    assertThat(server.isAlive()).isFalse();
    assertThat(directory).doesNotExist();
  }

  @Test
  void tells_from_its_log_why_it_did_not_start() {
    assertThatThrownBy(() -> RedisServer.start("--no-such-setting", "1"))
        .hasMessageContaining("must start on port")
        .hasMessageContaining("the process ended; its log ends with:")
        .hasMessageContaining("no-such-setting");
  }

  @Test
  void does_not_take_another_port_than_the_one_it_is_given() {
    try (RedisServer first = RedisServer.start()) {
      assertThatThrownBy(() -> RedisServer.start(settings -> settings.port(first.port())))
          .hasMessageContaining(" in use");
    }
  }

  private static Path directoryOf(RedisServer server) {
    try (Resp resp = server.resp()) {
      return Path.of(String.valueOf(resp.list("CONFIG", "GET", "dir").get(1)));
    }
  }
}
