package dev.stint.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Decision;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import io.lettuce.core.SslOptions;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A store speaks TLS with whom its settings trust, and with nobody else. */
@Tag("redis")
@ExtendWith(QuietLettuce.class)
class TlsTest {

  private static final Limit LIMIT = Limit.parse("1000000/day fixed-window-per-key");
  private static final Duration SHORT = Duration.ofMillis(500);

  @TempDir Path folder;

  @Test
  void who_is_trusted_is_asked_and_who_is_not_is_trouble() throws Exception {
    try (TlsFront front = new TlsFront(Servers.redis().port(), folder)) {
      SslOptions ssl = SslOptions.builder().trustManager(front.certificate().toFile()).build();
      try (RedisStore store = Servers.patientBuilder(front.uri()).ssl(ssl).build()) {
        Decision decision = RateLimiter.of(store, LIMIT).hit("tls");
        assertThat(decision.degraded()).isFalse();
        assertThat(store.trouble()).isEmpty();
      }
      try (RedisStore store = RedisStore.builder(front.uri()).connectTimeout(SHORT).build()) {
        Eventually.within(
            Duration.ofSeconds(10),
            () -> "the reason, not " + store.trouble(),
            () -> store.trouble().orElse("").contains("certification path"));
      }
    }
  }
}
