package dev.stint.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.http.CallLimiter.Use;
import dev.stint.memory.MemoryStore;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Limits on calls that are not requests. */
class CallLimiterTest {

  private final CallLimiter limiter =
      CallLimiter.builder(MemoryStore.create())
          .rule(Rule.of("user", "1/min"))
          .rule(Rule.of("all", "5/min"))
          .build();

  private boolean call(String user) {
    return limiter.decide(List.of(new Use(user, 1), new Use(null, 1))).allowed();
  }

  @Test
  void a_peek_takes_nothing() {
    assertThat(limiter.peek(0, "ann").remaining()).isEqualTo(1);
    assertThat(limiter.peek(0, "ann").remaining()).isEqualTo(1);
    assertThat(call("ann")).isTrue();
    assertThat(limiter.peek(0, "ann").allowed()).isFalse();
    assertThat(limiter.peek(0, "bob").allowed()).isTrue();
    assertThat(limiter.peek(1, null).used()).isEqualTo(1);
  }

  @Test
  void a_reset_forgets_what_one_rule_has_counted_for_one_key() {
    assertThat(call("ann")).isTrue();
    assertThat(call("bob")).isTrue();
    limiter.reset(0, "ann");
    assertThat(call("bob")).isFalse();
    assertThat(call("ann")).isTrue();
    assertThat(limiter.peek(1, null).used()).isEqualTo(3);
    limiter.reset(1, null);
    assertThat(limiter.peek(1, null).used()).isZero();
  }
}
