package dev.stint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.DecisionEvent.Kind;
import dev.stint.memory.MemoryStore;
import dev.stint.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Refusals, near limits and decisions without the store are told of, and not too often. */
class DecisionEventsTest {

  private final ManualTime time = ManualTime.create();
  private final Store memory = MemoryStore.builder().time(time).build();
  private final List<DecisionEvent> events = new ArrayList<>();

  private RateLimiter limiter(DecisionEvents told, Store store, String limit) {
    return RateLimiter.of(told.around(store), Limit.parse(limit).named("api"));
  }

  private List<Kind> kinds() {
    return events.stream().map(DecisionEvent::kind).toList();
  }

  @Test
  void a_flood_of_refusals_is_one_event_in_an_interval() {
    RateLimiter limiter = limiter(DecisionEvents.to(events::add), memory, "1/hour");
    limiter.hit("ann");
    for (int i = 0; i < 100; i++) {
      assertThat(limiter.hit("ann").allowed()).isFalse();
    }
    assertThat(kinds()).containsExactly(Kind.REFUSED);
    assertThat(events.get(0).suppressed()).isZero();
    assertThat(events.get(0).decision().limit().name()).isEqualTo("api");
    time.advance(Duration.ofSeconds(1));
    limiter.hit("ann");
    assertThat(kinds()).containsExactly(Kind.REFUSED, Kind.REFUSED);
    assertThat(events.get(1).suppressed()).isEqualTo(99);
  }

  @Test
  void a_limit_is_near_from_the_share_on_that_is_set() {
    RateLimiter limiter =
        limiter(
            DecisionEvents.to(events::add).nearLimit(0.8).interval(Duration.ZERO),
            memory,
            "10/hour");
    for (int i = 0; i < 7; i++) {
      limiter.hit("ann");
    }
    assertThat(events).isEmpty();
    limiter.hit("ann");
    assertThat(kinds()).containsExactly(Kind.NEAR_LIMIT);
    assertThat(events.get(0).decision().remaining()).isEqualTo(2);
  }

  @Test
  void without_a_share_nothing_is_near() {
    RateLimiter limiter = limiter(DecisionEvents.to(events::add), memory, "2/hour");
    limiter.hit("ann");
    limiter.hit("ann");
    assertThat(events).isEmpty();
  }

  @Test
  void a_decision_without_the_store_is_degraded() {
    RateLimiter limiter = limiter(DecisionEvents.to(events::add), Store.denying(), "2/hour");
    assertThat(limiter.hit("ann").allowed()).isFalse();
    assertThat(kinds()).containsExactly(Kind.DEGRADED, Kind.REFUSED);
  }

  @Test
  void limits_that_only_watch_and_questions_are_not_told_of() {
    Store store = DecisionEvents.to(events::add).around(memory);
    Limit limit = Limit.parse("1/hour").named("api");
    RateLimiter limiter = RateLimiter.of(store);
    for (int i = 0; i < 3; i++) {
      assertThat(limiter.hit(limit.on("ann").shadow()).allowed()).isTrue();
    }
    limiter.peek(limit.on("ann"));
    assertThat(events).isEmpty();
  }

  @Test
  void futures_are_told_of_too() {
    RateLimiter limiter = limiter(DecisionEvents.to(events::add), memory, "1/hour");
    limiter.hitAsync("ann").toCompletableFuture().join();
    limiter.hitAsync("ann").toCompletableFuture().join();
    assertThat(kinds()).containsExactly(Kind.REFUSED);
  }

  @Test
  void a_listener_that_fails_changes_no_decision() {
    RateLimiter limiter =
        limiter(
            DecisionEvents.to(
                event -> {
                  throw new IllegalStateException("no");
                }),
            memory,
            "1/hour");
    assertThat(limiter.hit("ann").allowed()).isTrue();
    assertThat(limiter.hit("ann").allowed()).isFalse();
  }

  @Test
  void names_beyond_all_measure_share_one_turn() {
    Store store = DecisionEvents.to(events::add).around(memory);
    RateLimiter limiter = RateLimiter.of(store);
    for (int i = 0; i < 1500; i++) {
      KeyedLimit keyed = Limit.parse("1/hour").named("n" + i).on("ann");
      limiter.hit(keyed);
      limiter.hit(keyed);
    }
    assertThat(events.size()).isBetween(1000, 1002);
  }

  @Test
  void a_share_must_be_a_share() {
    assertThatThrownBy(() -> DecisionEvents.to(events::add).nearLimit(1.5))
        .hasMessage("the share of a limit must be more than 0 and at most 1: 1.5");
    assertThatThrownBy(() -> DecisionEvents.to(events::add).nearLimit(Double.NaN))
        .hasMessage("the share of a limit must be more than 0 and at most 1: NaN");
  }
}
