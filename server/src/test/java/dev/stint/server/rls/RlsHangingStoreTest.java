package dev.stint.server.rls;

import static dev.stint.server.rls.Rules.key;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.UInt64Value;
import dev.stint.lab.RedisServer;
import dev.stint.lab.TcpProxy;
import dev.stint.rls.RateLimitDescriptor;
import dev.stint.rls.RateLimitDescriptor.Entry;
import dev.stint.rls.RateLimitRequest;
import dev.stint.rls.RateLimitResponse;
import dev.stint.rls.RateLimitResponse.Code;
import dev.stint.server.config.Bounds;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.RlsSettings;
import dev.stint.server.config.StoreSettings;
import dev.stint.server.engine.Engine;
import dev.stint.server.engine.Stores;
import dev.stint.server.engine.Watch;
import dev.stint.server.net.Permissions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is answered while Redis takes its time. */
@Tag("redis")
class RlsHangingStoreTest {

  /** Longer than usual, so that a busy machine is not mistaken for a second wait. */
  private static final Duration DEADLINE = Duration.ofMillis(400);

  private static RateLimitDescriptor descriptor(String key, long addend) {
    return RateLimitDescriptor.newBuilder()
        .addEntries(Entry.newBuilder().setKey(key).setValue("a"))
        .setHitsAddend(UInt64Value.of(addend))
        .build();
  }

  private static final RateLimitRequest QUESTION_AND_HIT =
      RateLimitRequest.newBuilder()
          .setDomain(Rules.DOMAIN)
          .addDescriptors(descriptor("asked", 0))
          .addDescriptors(descriptor("charged", 1))
          .build();

  private static Duration decide(Duration latency, Code... expected) throws Exception {
    try (RedisServer redis = RedisServer.start();
        TcpProxy proxy = TcpProxy.to(redis.port())) {
      Configuration configuration =
          Configuration.standard()
              .withStore(StoreSettings.at(proxy.uri()))
              .withRls(
                  new RlsSettings(
                      DEADLINE,
                      Rules.domain(key("asked").perMinute(1), key("charged").perMinute(1))
                          .domains()));
      try (Engine engine =
          new Engine(configuration, Stores.open(configuration.store(), DEADLINE), Watch.NOBODY)) {
        RlsDecider decider = new RlsDecider(engine, Bounds.standard());
        decider.decide(request("warm", 1), Permissions.all()).get(10, TimeUnit.SECONDS);
        proxy.latency(latency);
        long start = System.nanoTime();
        RateLimitResponse response =
            decider.decide(QUESTION_AND_HIT, Permissions.all()).get(10, TimeUnit.SECONDS);
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        assertThat(response.getStatusesList())
            .extracting(RateLimitResponse.DescriptorStatus::getCode)
            .containsExactly(expected);
        return took;
      }
    }
  }

  private static RateLimitRequest request(String key, long addend) {
    return RateLimitRequest.newBuilder()
        .setDomain(Rules.DOMAIN)
        .addDescriptors(descriptor(key, addend))
        .build();
  }

  @Test
  void a_question_and_a_hit_together_wait_once() throws Exception {
    assertThat(decide(Duration.ofSeconds(5), Code.OK, Code.OK))
        .isLessThan(DEADLINE.multipliedBy(3).dividedBy(2));
  }

  @Test
  void two_slow_trips_do_not_add_up_to_more_than_a_deadline_and_a_half() throws Exception {
    assertThat(decide(Duration.ofMillis(180), Code.OK, Code.OK))
        .isLessThan(DEADLINE.multipliedBy(3).dividedBy(2));
  }
}
