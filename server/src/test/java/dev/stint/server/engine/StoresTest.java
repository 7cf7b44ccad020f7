package dev.stint.server.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.stint.Limit;
import dev.stint.algorithm.Operation;
import dev.stint.lab.RedisServer;
import dev.stint.lab.TcpProxy;
import dev.stint.server.config.OnStoreError;
import dev.stint.server.config.StoreSettings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("redis")
class StoresTest {

  @Test
  void a_redis_that_is_too_slow_for_envoy_alone_is_in_trouble_too() throws Exception {
    try (RedisServer redis = RedisServer.start();
        TcpProxy proxy = TcpProxy.to(redis.port())) {
      StoreSettings patient =
          new StoreSettings(proxy.uri(), 1000, 100, "stint", Duration.ofSeconds(5), 1);
      try (Stores stores = Stores.open(patient, Duration.ofMillis(50))) {
        await().untilAsserted(() -> assertThat(stores.trouble()).isEmpty());
        proxy.latency(Duration.ofMillis(200));
        await()
            .untilAsserted(
                () -> {
                  stores
                      .forEnvoyOrElse(OnStoreError.LOCAL)
                      .run(Operation.HIT, List.of(Limit.parse("5/minute").on("alice")));
                  assertThat(stores.trouble()).isPresent();
                });
      }
    }
  }
}
