package dev.stint.server.rls;

import static dev.stint.server.rls.RlsService.adding;
import static dev.stint.server.rls.RlsService.descriptor;
import static dev.stint.server.rls.RlsService.under;
import static dev.stint.server.rls.Rules.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Decision;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.RlsSettings;
import dev.stint.server.engine.Policy;
import dev.stint.server.engine.Watch;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.type.v3.RateLimitUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What metrics hear of the decisions. */
class RlsWatchTest {

  private final List<String> heard = new CopyOnWriteArrayList<>();

  private final Watch watch =
      new Watch() {
        @Override
        public void decided(
            Policy policy,
            byte[] key,
            boolean allowed,
            boolean degraded,
            long remaining,
            long capacity,
            long nanos) {}

        @Override
        public void compared(
            Policy live, boolean liveAllows, Policy candidate, boolean candidateAllows) {}

        @Override
        public void decided(
            String domain, String rule, boolean shadow, Decision decision, long nanos) {
          heard.add(
              domain
                  + " "
                  + rule
                  + (shadow ? " shadow" : "")
                  + (decision.allowed() ? " allowed" : " denied"));
        }
      };

  private RlsService with(Rules... rules) {
    return RlsService.with(Rules.domain(rules), watch);
  }

  @Test
  void rules_are_called_by_their_path_in_the_configuration() {
    try (RlsService service =
        with(
            key("tenant", "acme").under(key("user").perMinute(1)),
            key("path", "/a/*").perMinute(5))) {
      service.code("tenant", "acme", "user", "alice");
      service.code("tenant", "acme", "user", "alice");
      service.code("path", "/a/b");
      service.code("colour", "red");
    }
    assertThat(heard)
        .containsExactly(
            "shop tenant_acme.user allowed",
            "shop tenant_acme.user denied",
            "shop path_/a/* allowed");
  }

  @Test
  void every_rule_of_a_request_is_heard_with_its_own_answer() {
    try (RlsService service =
        with(
            key("user").perMinute(5),
            key("all").perMinute(1).shadow(),
            key("banned").perMinute(0),
            key("free").unlimited())) {
      service.ask(descriptor("user", "a"), adding(2, descriptor("all", "")));
      service.ask(descriptor("user", "a"), descriptor("banned", ""), descriptor("free", ""));
    }
    assertThat(heard)
        .containsExactly(
            "shop user allowed",
            "shop all shadow denied",
            "shop user allowed",
            "shop banned denied",
            "shop free allowed");
  }

  @Test
  void an_override_has_one_name_whatever_it_is_on() {
    try (RlsService service = with(key("user").perMinute(5))) {
      service.ask(under(1, RateLimitUnit.DAY, descriptor("user", "a")));
      service.ask(under(2, RateLimitUnit.DAY, descriptor("colour", "red")));
    }
    assertThat(heard).containsExactly("shop _override allowed", "shop _override allowed");
  }

  @Test
  void a_refund_is_no_decision() {
    try (RlsService service = with(key("user").perMinute(5))) {
      service.ask(RlsChargeTest.givingBack(2));
    }
    assertThat(heard).isEmpty();
  }

  @Test
  void detailed_rules_tell_the_values_of_a_thousand_and_no_more() {
    try (RlsService service = with(key("tenant", "*").under(key("user").perMinute(5).detailed()))) {
      for (int part = 0; part < 3; part++) {
        RateLimitDescriptor[] some = new RateLimitDescriptor[500];
        for (int i = 0; i < some.length; i++) {
          some[i] = descriptor("tenant", "acme", "user", "u" + (500 * part + i));
        }
        service.ask(some);
      }
    }
    Set<String> names = new HashSet<>(heard);
    assertThat(names)
        .hasSize(1001)
        .contains("shop tenant_acme.user_u999 allowed", "shop other allowed");
  }

  @Test
  void a_reload_does_not_give_detailed_rules_another_thousand() {
    RlsSettings rules = Rules.domain(key("user").perMinute(5).detailed());
    try (RlsService service = RlsService.with(rules, watch)) {
      for (int reload = 0; reload < 3; reload++) {
        RateLimitDescriptor[] some = new RateLimitDescriptor[500];
        for (int i = 0; i < some.length; i++) {
          some[i] = descriptor("user", "u" + (500 * reload + i));
        }
        service.ask(some);
        service.service.engine().reload(Configuration.standard().withRls(rules));
      }
    }
    assertThat(new HashSet<>(heard)).hasSize(1001);
  }
}
