package dev.stint.server.rls;

import static dev.stint.server.rls.RlsService.adding;
import static dev.stint.server.rls.RlsService.descriptor;
import static dev.stint.server.rls.RlsService.under;
import static dev.stint.server.rls.Rules.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Decision;
import dev.stint.algorithm.Operation;
import dev.stint.server.engine.Policy;
import dev.stint.server.engine.Watch;
import io.envoyproxy.envoy.type.v3.RateLimitUnit;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What metrics hear of the decisions. */
class RlsWatchTest {

  private final List<String> heard = new CopyOnWriteArrayList<>();
  private final List<String> operations = new CopyOnWriteArrayList<>();

  private final Watch watch =
      new Watch() {
        @Override
        public void decided(
            Policy policy,
            byte[] key,
            Operation operation,
            long units,
            boolean allowed,
            boolean degraded,
            long remaining,
            long capacity,
            long began,
            long ended) {}

        @Override
        public void compared(
            Policy live, boolean liveAllows, Policy candidate, boolean candidateAllows) {}

        @Override
        public void decided(
            String domain,
            String path,
            String rule,
            boolean shadow,
            Operation operation,
            long units,
            Decision decision,
            long began,
            long ended) {
          operations.add(operation + " " + units);
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
  void detailed_rules_tell_the_values_of_descriptors() {
    try (RlsService service = with(key("tenant", "*").under(key("user").perMinute(5).detailed()))) {
      service.ask(descriptor("tenant", "acme", "user", "bob"));
    }
    assertThat(heard).containsExactly("shop tenant_acme.user_bob allowed");
  }

  @Test
  void a_request_that_adds_nothing_is_a_peek() {
    try (RlsService service = with(key("user").perMinute(5), key("banned").perMinute(0))) {
      service.ask(adding(0, descriptor("user", "a")));
      service.ask(adding(0, descriptor("user", "a")), adding(3, descriptor("banned", "")));
    }
    assertThat(operations).containsExactly("PEEK 0", "PEEK 0", "HIT 3");
  }
}
