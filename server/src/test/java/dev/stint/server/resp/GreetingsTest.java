package dev.stint.server.resp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GreetingsTest {

  private final Bench bench = new Bench();

  @AfterEach
  void close() {
    bench.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "ping ~ +PONG",
        "PING hi ~ $2 hi",
        "Echo hi ~ $2 hi",
        "SELECT 0 ~ +OK",
        "SELECT 1 ~ -ERR DB index is out of range: it must be 0",
        "CLIENT SETNAME me ~ +OK",
        "CLIENT GETNAME ~ $-1",
        "CLIENT SETINFO LIB-NAME x ~ +OK",
        "CLIENT NO-EVICT on ~ +OK",
        "CLIENT KILL 1 ~ -ERR unknown subcommand 'KILL'. It is CLIENT ID|INFO|LIST|SETNAME name|GETNAME|SETINFO what text",
        "COMMAND COUNT ~ :15",
        "COMMAND DOCS ~ *0",
        "CONFIG GET save ~ *0",
        "AUTH anything ~ +OK",
        "RESET ~ +RESET",
        "HELLO 4 ~ -NOPROTO unsupported protocol version",
        "HELLO 3 WHAT ~ -ERR syntax error: the command is HELLO [2|3 [AUTH name token] [SETNAME name]]",
        "GET a ~ -ERR unknown command 'GET', with args beginning with: 'a'",
        "ECHO ~ -ERR wrong number of arguments for 'echo' command: it is ECHO message",
      })
  void what_clients_say_in_passing_is_answered(String said, String answer) {
    assertThat(bench.ask(said + "\r\n").replace("\r\n", " ").strip()).isEqualTo(answer);
  }

  @Test
  void hello_switches_to_maps_and_nulls() {
    assertThat(bench.ask("HELLO 3 SETNAME me\r\n")).startsWith("%7\r\n$6\r\nserver\r\n$5\r\nstint");
    assertThat(bench.ask("CONFIG GET save\r\nCLIENT GETNAME\r\n")).isEqualTo("%0\r\n$2\r\nme\r\n");
    assertThat(bench.ask("RESET\r\nCLIENT GETNAME\r\n")).isEqualTo("+RESET\r\n$-1\r\n");
  }

  @Test
  void hello_in_the_old_protocol_is_a_flat_list() {
    assertThat(bench.ask("HELLO\r\n")).startsWith("*14\r\n$6\r\nserver\r\n");
  }

  @Test
  void every_command_is_listed() {
    assertThat(bench.ask("COMMAND\r\n")).startsWith("*15\r\n*6\r\n$11\r\ncl.throttle\r\n:-5\r\n");
  }
}
