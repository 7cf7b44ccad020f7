package dev.stint.server.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.Response;

/** Clients that know nothing of Stint. */
class ClientsTest {

  private final Served served = Served.start();

  @AfterEach
  void close() {
    served.close();
  }

  // ---- Lettuce ----

  private record Word(String text) implements ProtocolKeyword {
    @Override
    public byte[] getBytes() {
      return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public String toString() {
      return text;
    }
  }

  private static List<Object> dispatch(
      StatefulRedisConnection<String, String> connection, String command, String... arguments) {
    CommandArgs<String, String> words = new CommandArgs<>(StringCodec.UTF8);
    for (String argument : arguments) {
      words.add(argument);
    }
    return connection
        .sync()
        .dispatch(new Word(command), new NestedMultiOutput<>(StringCodec.UTF8), words);
  }

  @ParameterizedTest
  @EnumSource(io.lettuce.core.protocol.ProtocolVersion.class)
  void lettuce_asks_in_either_protocol(io.lettuce.core.protocol.ProtocolVersion version) {
    RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", served.port()));
    client.setOptions(io.lettuce.core.ClientOptions.builder().protocolVersion(version).build());
    try (StatefulRedisConnection<String, String> connection = client.connect()) {
      assertThat(dispatch(connection, "CL.THROTTLE", "user", "15", "30", "60"))
          .containsExactly(0L, 16L, 15L, -1L, 2L);
      assertThat(dispatch(connection, "STINT.HIT", "api", "user"))
          .containsExactly(1L, 3L, 2L, 0L, 20_000L, 0L);
      assertThat(connection.sync().ping()).isEqualTo("PONG");
      assertThatThrownBy(() -> connection.sync().get("user"))
          .isInstanceOf(RedisCommandExecutionException.class)
          .hasMessageStartingWith("ERR unknown command 'GET'");
    } finally {
      client.shutdown();
    }
  }

  // ---- Jedis ----

  private Jedis jedis(RedisProtocol protocol) {
    return new Jedis(
        new HostAndPort("127.0.0.1", served.port()),
        DefaultJedisClientConfig.builder().protocol(protocol).clientName("tests").build());
  }

  @ParameterizedTest
  @EnumSource(
      value = RedisProtocol.class,
      names = {"RESP2", "RESP3"})
  void jedis_asks_in_either_protocol(RedisProtocol protocol) {
    try (Jedis jedis = jedis(protocol)) {
      assertThat(
              jedis.sendCommand(
                  () -> "CL.THROTTLE".getBytes(StandardCharsets.US_ASCII),
                  "user",
                  "15",
                  "30",
                  "60"))
          .isEqualTo(List.of(0L, 16L, 15L, -1L, 2L));
      assertThat(jedis.clientGetname()).isEqualTo("tests");
      assertThat(jedis.select(0)).isEqualTo("OK");
      assertThat(jedis.ping("there")).isEqualTo("there");
    }
  }

  @Test
  void jedis_gets_the_answers_of_a_pipeline_in_order() {
    try (Jedis jedis = jedis(RedisProtocol.RESP3)) {
      Pipeline pipeline = jedis.pipelined();
      List<Response<Object>> answers =
          java.util.stream.IntStream.range(0, 5)
              .mapToObj(
                  i ->
                      pipeline.sendCommand(
                          () -> "STINT.HIT".getBytes(StandardCharsets.US_ASCII), "api", "user"))
              .toList();
      pipeline.sync();
      assertThat(answers.stream().map(answer -> ((List<?>) answer.get()).get(0)))
          .isEqualTo(List.of(1L, 1L, 1L, 0L, 0L));
    }
  }

  // ---- redis-cli ----

  private String redisCli(String... arguments) throws Exception {
    List<String> command = new java.util.ArrayList<>();
    command.addAll(List.of("redis-cli", "-h", "127.0.0.1", "-p", "" + served.port()));
    command.addAll(List.of(arguments));
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      assumeTrue(false, "redis-cli is not here; Debian has it in the package redis-tools");
      throw e;
    }
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return output.strip().replace("\n", " ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-2", "-3"})
  void redis_cli_asks_in_either_protocol(String protocol) throws Exception {
    assertThat(redisCli(protocol, "CL.THROTTLE", "user", "15", "30", "60"))
        .isEqualTo("0 16 15 -1 2");
    assertThat(redisCli(protocol, "STINT.HIT", "api", "user", "2")).isEqualTo("1 3 1 0 40000 0");
  }

  @Test
  void redis_cli_shows_errors_as_such() throws Exception {
    assertThat(redisCli("STINT.HIT", "apj", "user"))
        .matches("ERR unknown policy 'apj'; there are: (api, export|export, api)");
  }
}
