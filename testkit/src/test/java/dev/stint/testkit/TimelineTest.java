package dev.stint.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.Store;
import dev.stint.memory.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimelineTest {

  private final ManualTime time = ManualTime.create();
  private final Store store = MemoryStore.builder().time(time).build();

  private void replay(String... lines) {
    Timeline.parse(String.join("\n", lines)).replay(store, time);
  }

  @Test
  void several_steps_may_share_a_line_and_one_may_span_several() {
    replay(
        "limit: 5/second",
        "0ms hit 1 → allowed, 4 left  0ms hit 4 -> allowed # a comment, 9 left",
        "0ms hit 1",
        "  → denied,",
        "    retry in 200ms",
        "+199.999ms hit 1 → denied  +1us hit 1 → allowed, 0 left");
  }

  @Test
  void every_wrong_expectation_is_noticed() {
    for (String wrong :
        List.of(
            "hit 1 → denied",
            "hit 1 → 3 left",
            "hit 1 → 2 used",
            "hit 1 → retry in 1s",
            "hit 1 → retry never",
            "hit 1 → next in 201ms",
            "hit 1 → next never",
            "hit 1 → full",
            "hit 1 → reset in 199.999ms",
            "hit 1 → reset never",
            "hit 1 → shared",
            "hit 1 → degraded",
            "hit 6 → allowed",
            "hit 6 → retry in 1s",
            "peek 1 → 4 left",
            "inc 2 → count 1",
            "get → count 1",
            "expiresAt → at 0s",
            "expiresAt → never",
            "clean → 1 forgotten")) {
      assertThatThrownBy(() -> replay("limit: 5/second", "0s " + wrong))
          .as(wrong)
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("timeline:2: 0s " + wrong);
      RateLimiter.of(store, Limit.parse("5/second")).reset("key");
    }
  }

  @Test
  void a_failure_shows_the_place_what_was_expected_and_what_was_answered() {
    assertThatThrownBy(
            () ->
                replay("limit: 5/second", "", "0ms hit 5 → allowed", "10ms hit 2 → denied, 1 left"))
        .isInstanceOf(AssertionError.class)
        .hasMessage(
            """
            timeline:4: 10ms hit 2 → denied, 1 left
              expected: 1 left
              actual:   denied, by 5/second, 0 left, 5 used, retry in 390ms, next in 190ms, \
            reset in 990ms, not shared, not degraded""");
  }

  @Test
  void a_failure_of_one_limit_in_a_joint_call_shows_that_limit() {
    assertThatThrownBy(
            () ->
                replay(
                    "limit a: 5/minute fixed-window-per-key",
                    "limit b: 3/hour fixed-window-per-key",
                    "0s hit 1 of a and 2 of b → allowed by b; a: 4 left; b: 2 left"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("timeline:3:")
        .hasMessageContaining("expected: 2 left\n")
        .hasMessageContaining("actual:   allowed, by b, 1 left, 2 used");
  }

  @Test
  void a_scene_starts_where_it_says_and_otherwise_where_the_clock_stands() {
    time.set(Instant.parse("2024-05-05T10:00:30Z"));
    replay("limit: 5/minute fixed-window", "0s hit 1 → reset in 30s", "30s expiresAt → nothing");
    replay(
        "limit: 5/minute fixed-window",
        "start: 2024-05-05T11:00:50Z",
        "0s hit 1 → reset in 10s   0s expiresAt → at 10s");
  }

  @Test
  void the_clock_may_step_back() {
    replay(
        "limit: 1/minute fixed-window-per-key",
        "10s hit 1 → allowed  -5s hit 1 → denied, retry in 75s");
    assertThat(time.now()).isEqualTo(ManualTime.create().now().minusSeconds(5));
  }

  @Test
  void a_limiter_can_be_held_to_a_timeline_with_its_own_limits() {
    RateLimiter limiter = RateLimiter.of(store, Limit.tokenBucket(2, Duration.ofSeconds(1)));
    Timeline timeline = Timeline.parse("0s hit 2 @bob → allowed, 0 left  0s hit 1 @bob → denied");
    timeline.replay(limiter, time);
    assertThat(limiter.get("bob")).isEqualTo(2);
  }

  @Test
  void scenes_have_titles() {
    List<Timeline> scenes =
        Timeline.parseAll(
            "api.timeline",
            "scene: one thing\nlimit: 1/second\n0s hit\nscene: another\nlimit: 2/second\n0s hit → 1 left");
    assertThat(scenes).extracting(Timeline::title).containsExactly("one thing", "another");
    assertThat(scenes.get(1)).hasToString("api.timeline: another");
    scenes.get(1).replay(store, time);
  }

  @Test
  void the_same_limit_can_change_its_amount() {
    assertThatCode(
            () ->
                replay(
                    "limit small: 1/minute fixed-window-per-key",
                    "limit large: 2/minute fixed-window-per-key",
                    "0s hit of small → allowed  0s hit of small → denied  0s hit of large → allowed"))
        .doesNotThrowAnyException();
  }

  @Test
  void a_timeline_of_several_scenes_is_no_single_one() {
    assertThatThrownBy(() -> Timeline.parse("scene: a\n0s clean\nscene: b\n0s clean"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a timeline must have one scene: 2; use parseAll for several");
  }

  @Test
  void a_missing_resource_is_named() {
    assertThatThrownBy(() -> Timeline.load(TimelineTest.class, "nowhere.timeline"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("resource must lie beside dev.stint.testkit.TimelineTest: 'nowhere.timeline'");
  }
}
