package dev.stint.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Key;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.lab.TcpProxy;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A call that has ended is garbage, however far its deadline is away. */
@Tag("redis")
@ExtendWith(QuietLettuce.class)
class FinishedCallsTest {

  private static final Limit LIMIT = Limit.parse("1000000/day fixed-window-per-key");
  private static final int CALLS = 2000;

  @Test
  void are_not_kept_until_their_deadline() {
    try (TcpProxy proxy = TcpProxy.to(Servers.redis().port());
        RedisStore store =
            RedisStore.builder(proxy.uri()).deadline(Duration.ofMinutes(1)).build()) {
      RateLimiter limiter = RateLimiter.of(store);
      List<WeakReference<?>> keys = new ArrayList<>();
      List<CompletableFuture<?>> hits = new ArrayList<>();
      for (int i = 0; i < CALLS; i++) {
        byte[] key = ("finished" + i).getBytes(StandardCharsets.UTF_8);
        keys.add(new WeakReference<>(key));
        hits.add(limiter.hitAsync(LIMIT.on(Key.of(key))).toCompletableFuture());
      }
      CompletableFuture.allOf(hits.toArray(CompletableFuture<?>[]::new)).join();
      hits.clear();
      Eventually.within(
          Duration.ofSeconds(20),
          "the end of all but a few calls",
          () -> {
            System.gc();
            return keys.stream().filter(key -> key.get() != null).count() <= 5;
          });
      assertThat(limiter.hit(LIMIT.on("finished")).degraded()).isFalse();
    }
  }
}
