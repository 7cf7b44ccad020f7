package dev.stint.server.ordeal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.stint.lab.RedisServer;
import dev.stint.lab.TcpProxy;
import dev.stint.server.serve.Service;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Streams that are reset: normal traffic of Envoy, and no way to have unlimited work done. */
class RapidResetTest {

  private static final int RESETS = 1_000;
  private static final int MOST_STREAMS = 256;
  private static final int CANCEL = 8;
  private static final long REFUSED_STREAM = 7;

  @TempDir Path folder;

  /** How a stream ends before its answer. */
  private interface Ending {
    byte[] of(int stream);
  }

  private static byte[] hit(String user) {
    return RawHttp2.message(0, Rls.request("user", user).toByteArray());
  }

  /** Calls of which each is over right after its message, and the stream after them. */
  private static int callAndReset(RawHttp2 raw, int count, Ending ending) throws IOException {
    for (int i = 0; i < count; i++) {
      int stream = raw.nextStream();
      raw.send(
          RawHttp2.call(stream, false, RawHttp2.CALL),
          RawHttp2.data(stream, false, hit("reset")),
          ending.of(stream));
    }
    return raw.nextStream();
  }

  /**
   * Calls of which each is over once its decision has begun: a call that is reset before that costs
   * nothing and does not count.
   */
  private static void callAndResetLater(RawHttp2 raw, int count, Ending ending) throws IOException {
    for (int i = 0; i < count; i++) {
      int stream = raw.nextStream();
      raw.send(
          RawHttp2.call(stream, false, RawHttp2.CALL), RawHttp2.data(stream, false, hit("reset")));
      assertThat(health(raw, raw.nextStream()).status()).isEqualTo("0"); // calls begin in order
      raw.send(ending.of(stream));
    }
  }

  private static RawHttp2.Reply health(RawHttp2 raw, int stream) throws IOException {
    raw.send(
        RawHttp2.call(stream, false, "/grpc.health.v1.Health/Check"),
        RawHttp2.data(stream, true, RawHttp2.message(0, new byte[0])));
    return raw.reply(stream);
  }

  private static RawHttp2.Reply call(RawHttp2 raw, int stream) throws IOException {
    raw.send(
        RawHttp2.call(stream, false, RawHttp2.CALL), RawHttp2.data(stream, true, hit("patient")));
    return raw.reply(stream);
  }

  @Test
  void a_connection_outlives_a_thousand_calls_that_were_cancelled() throws IOException {
    try (Service service = Service.start(Setup.wide(folder));
        RawHttp2 raw = RawHttp2.connect(service.grpcPort())) {
      int next = callAndReset(raw, RESETS, stream -> RawHttp2.reset(stream, CANCEL));
      assertThat(call(raw, next).status()).isEqualTo("0");
      assertThat(raw.goneAway).isNegative();
    }
  }

  @Test
  void a_connection_outlives_a_thousand_resets_that_its_client_made_the_service_send()
      throws IOException {
    try (Service service = Service.start(Setup.wide(folder));
        RawHttp2 raw = RawHttp2.connect(service.grpcPort())) {
      int next = raw.nextStream();
      for (int i = 0; i < RESETS; i++, next = raw.nextStream()) {
        // A window that grows by nothing is a mistake for which the stream is reset.
        raw.send(RawHttp2.call(next, false, RawHttp2.CALL), RawHttp2.windowUpdate(next, 0));
        assertThat(raw.reply(next).reset).isEqualTo(1);
      }
      assertThat(call(raw, next).status()).isEqualTo("0");
    }
  }

  @Test
  @Tag("redis")
  void a_call_that_was_cancelled_counts_until_its_decision_is_made() throws IOException {
    countsUntilDecided(stream -> RawHttp2.reset(stream, CANCEL));
  }

  @Test
  @Tag("redis")
  void a_call_that_the_service_had_to_reset_counts_until_its_decision_is_made() throws IOException {
    countsUntilDecided(stream -> RawHttp2.windowUpdate(stream, 0));
  }

  private void countsUntilDecided(Ending ending) throws IOException {
    try (RedisServer redis = RedisServer.start();
        TcpProxy proxy = TcpProxy.to(redis.port());
        Service service =
            Service.start(
                Setup.read(
                    folder,
                    Setup.WIDE.replace("rls:\n", "rls:\n  deadline: 5s\n")
                        + "store: {url: \"%s\", deadline: 5s}\n".formatted(proxy.uri())));
        RawHttp2 raw = RawHttp2.connect(service.grpcPort())) {
      assertThat(call(raw, raw.nextStream()).status()).isEqualTo("0");
      proxy.latency(Duration.ofMinutes(1));
      callAndResetLater(raw, MOST_STREAMS - 1, ending);
      raw.send(RawHttp2.call(raw.nextStream(), false, RawHttp2.CALL));
      assertThat(call(raw, raw.nextStream()).reset).isEqualTo(REFUSED_STREAM);
      // Other connections are not affected by what this one has caused.
      try (RawHttp2 other = RawHttp2.connect(service.grpcPort())) {
        assertThat(call(other, other.nextStream()).status()).isEqualTo("0");
      }
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> "0".equals(call(raw, raw.nextStream()).status()));
      assertThat(raw.goneAway).isNegative();
    }
  }
}
