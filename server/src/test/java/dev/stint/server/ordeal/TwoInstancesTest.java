package dev.stint.server.ordeal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.lab.RedisCluster;
import dev.stint.lab.Resp;
import dev.stint.server.config.Configuration;
import dev.stint.server.serve.Service;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two instances on one Redis Cluster are one limiter, whichever wire they are asked by. */
@Tag("redis")
class TwoInstancesTest {

  private static final int LIMIT = 100;
  private static final int KEYS = 12;
  private static final int EACH = 60; // of four who ask: more than twice the limit

  // Redis may be slow on a busy machine; that must not be mistaken for its absence.
  private static final String YAML =
      """
      store: {url: "%s", deadline: 10s}
      listeners: {http: "127.0.0.1:0", grpc: "127.0.0.1:0", resp: "127.0.0.1:0", admin: "127.0.0.1:0"}
      policies:
        api: {limits: 100/day fixed-window, on-store-error: deny}
      rls:
        deadline: 10s
        domains:
          - domain: web
            descriptors:
              - key: user
                rate_limit: {unit: day, requests_per_unit: 100, on_store_error: deny}
      """;

  @TempDir Path folder;

  @Test
  void together_they_admit_the_limit_and_not_one_more() throws Exception {
    try (RedisCluster cluster = RedisCluster.start()) {
      Configuration configuration = Setup.read(folder, YAML.formatted(cluster.uri()));
      AtomicLongArray api = new AtomicLongArray(KEYS);
      AtomicLongArray envoy = new AtomicLongArray(KEYS);
      try (Service one = Service.start(configuration);
          Service two = Service.start(configuration);
          Tasks tasks = new Tasks()) {
        for (Service service : new Service[] {one, two}) {
          tasks.once(() -> byHttp(service, api));
          tasks.once(() -> byResp(service, api));
          tasks.once(() -> byGrpc(service, envoy));
          tasks.once(() -> byGrpc(service, envoy));
        }
        tasks.join();
        assertThat(tasks.troubles()).isEmpty();
      }
      for (int key = 0; key < KEYS; key++) {
        assertThat(api.get(key)).as("api, key %d", key).isEqualTo(LIMIT);
        assertThat(envoy.get(key)).as("web, key %d", key).isEqualTo(LIMIT);
      }
    }
  }

  private static void byHttp(Service service, AtomicLongArray allowed) throws IOException {
    try (Http http = Http.connect(service.httpPort())) {
      for (int i = 0; i < EACH * KEYS; i++) {
        int status = http.hit("api", "key" + i % KEYS).status();
        assertThat(status).isIn(200, 429);
        allowed.addAndGet(i % KEYS, status == 200 ? 1 : 0);
      }
    }
  }

  private static void byResp(Service service, AtomicLongArray allowed) {
    try (Resp resp = Resp.connect(service.respPort())) {
      for (int i = 0; i < EACH * KEYS; i++) {
        Object answer = resp.list("STINT.HIT", "api", "key" + i % KEYS).get(0);
        allowed.addAndGet(i % KEYS, Long.valueOf(1).equals(answer) ? 1 : 0);
      }
    }
  }

  private static void byGrpc(Service service, AtomicLongArray allowed) {
    try (Rls rls = Rls.connect(service.grpcPort())) {
      for (int i = 0; i < EACH * KEYS; i++) {
        allowed.addAndGet(i % KEYS, rls.hit("user", "key" + i % KEYS) == Code.OK ? 1 : 0);
      }
    }
  }
}
