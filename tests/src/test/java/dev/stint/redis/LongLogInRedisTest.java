package dev.stint.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.lab.RedisServer;
import dev.stint.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A long log must not hold up the server, which does nothing else meanwhile. */
@Tag("redis")
class LongLogInRedisTest {

  private static final KeyedLimit LOG = Limit.slidingLog(2000, Duration.ofHours(1)).on("k");

  @Test
  void a_refund_amid_a_long_log_is_a_handful_of_writes() {
    ManualTime time = ManualTime.create();
    try (RedisServer server = RedisServer.start();
        RedisStore store = Servers.patient(server.uri(), time)) {
      RateLimiter limiter = RateLimiter.of(store);
      List<Decision> hits = new ArrayList<>();
      for (int i = 0; i < 2000; i++) {
        time.advance(Duration.ofMillis(1));
        hits.add(limiter.hit(LOG));
      }
      for (int i : new int[] {900, 1000, 1100}) {
        server.ask("CONFIG", "RESETSTAT");
        limiter.refund(hits.get(i));
        assertThat(calls(server, "setrange")).isBetween(1, 3);
      }
      assertThat(limiter.get(LOG)).isEqualTo(1997);
      assertThat(limiter.hit(LOG.cost(4)).retryAfter())
          .isEqualTo(Duration.ofHours(1).minusMillis(1999));
    }
  }

  private static int calls(RedisServer server, String command) {
    String start = "cmdstat_" + command + ":calls=";
    return server
        .ask("INFO", "commandstats")
        .lines()
        .filter(line -> line.startsWith(start))
        .mapToInt(line -> Integer.parseInt(line.substring(start.length(), line.indexOf(','))))
        .findFirst()
        .orElse(0);
  }
}
