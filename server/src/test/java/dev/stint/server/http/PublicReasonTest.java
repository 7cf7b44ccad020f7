package dev.stint.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PublicReasonTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "java.net.ConnectException: Connection refused",
        "Redis: ClosedChannelException",
        "Redis: Unable to connect to redis/10.0.0.3:6379",
        "Redis: Unable to connect to redis.default.svc:6379"
      })
  void types_and_addresses_are_not_for_clients(String reason) {
    assertThat(PublicReason.of(reason)).isEqualTo("Redis could not be asked");
  }

  @Test
  void what_helps_is_told() {
    assertThat(PublicReason.of("Redis did not answer within 25 ms"))
        .isEqualTo("Redis did not answer within 25 ms");
  }
}
