package dev.stint.server.rls;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.UInt64Value;
import dev.stint.Limit;
import dev.stint.rls.RateLimitDescriptor;
import dev.stint.rls.RateLimitDescriptor.Entry;
import dev.stint.rls.RateLimitRequest;
import dev.stint.rls.RateLimitResponse;
import dev.stint.rls.RateLimitResponse.Code;
import dev.stint.server.config.Bounds;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.OnStoreError;
import dev.stint.server.config.RlsSettings;
import dev.stint.server.config.StoreSettings;
import dev.stint.server.engine.Engine;
import dev.stint.server.engine.Stores;
import dev.stint.server.engine.Watch;
import dev.stint.server.net.Permissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is answered while Redis is away: nobody listens on the port it is said to have. */
class RlsWithoutStoreTest {

  private final Configuration configuration =
      Configuration.standard()
          .withStore(StoreSettings.at("redis://127.0.0.1:1"))
          .withRls(
              new RlsSettings(
                  Duration.ofMillis(12),
                  Map.of(
                      "shop",
                      List.of(
                          rule("local", OnStoreError.LOCAL),
                          rule("allow", OnStoreError.ALLOW),
                          rule("deny", OnStoreError.DENY)))));
  private final Engine engine =
      new Engine(
          configuration,
          Stores.open(configuration.store(), configuration.rls().deadline()),
          Watch.NOBODY);
  private final RlsDecider decider = new RlsDecider(engine, Bounds.standard());

  private static RlsSettings.Node rule(String key, OnStoreError answer) {
    Limit limit = Limit.fixedWindow(1, Duration.ofDays(365)).named("_rls");
    return new RlsSettings.Node(
        key,
        Optional.empty(),
        Optional.of(
            new RlsSettings.Rule(Optional.of(limit), false, 1, "year", 1, "", List.of(), answer)),
        false,
        false,
        List.of());
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private static RateLimitDescriptor.Builder descriptor(String key) {
    return RateLimitDescriptor.newBuilder().addEntries(Entry.newBuilder().setKey(key));
  }

  private Code code(RateLimitDescriptor.Builder... descriptors) throws Exception {
    RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain("shop");
    for (RateLimitDescriptor.Builder descriptor : descriptors) {
      request.addDescriptors(descriptor);
    }
    RateLimitResponse response =
        decider.decide(request.build(), Permissions.all()).get(10, TimeUnit.SECONDS);
    assertThat(response.getStatusesCount()).isEqualTo(descriptors.length);
    return response.getOverallCode();
  }

  @Test
  void each_rule_answers_as_it_is_told_to() throws Exception {
    assertThat(code(descriptor("local"))).isEqualTo(Code.OK);
    assertThat(code(descriptor("local"))).isEqualTo(Code.OVER_LIMIT);
    assertThat(code(descriptor("allow"))).isEqualTo(Code.OK);
    assertThat(code(descriptor("allow"))).isEqualTo(Code.OK);
    assertThat(code(descriptor("deny"))).isEqualTo(Code.OVER_LIMIT);
  }

  @Test
  void together_the_strictest_rule_speaks() throws Exception {
    assertThat(code(descriptor("allow"), descriptor("deny"))).isEqualTo(Code.OVER_LIMIT);
    assertThat(code(descriptor("allow"), descriptor("local"))).isEqualTo(Code.OK);
    assertThat(code(descriptor("allow"), descriptor("local"))).isEqualTo(Code.OVER_LIMIT);
  }

  @Test
  void what_cannot_be_given_back_is_no_failure() throws Exception {
    assertThat(code(descriptor("deny").setIsNegativeHits(true).setHitsAddend(UInt64Value.of(2))))
        .isEqualTo(Code.OK);
  }

  @Test
  void who_only_asks_is_answered_alike() throws Exception {
    assertThat(code(descriptor("deny").setHitsAddend(UInt64Value.of(0))))
        .isEqualTo(Code.OVER_LIMIT);
    assertThat(code(descriptor("allow").setHitsAddend(UInt64Value.of(0)))).isEqualTo(Code.OK);
  }
}
