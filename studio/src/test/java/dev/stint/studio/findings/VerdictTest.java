package dev.stint.studio.findings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.studio.trial.Timeline;
import java.util.List;
import org.junit.jupiter.api.Test;

class VerdictTest {

  private static Findings.Lane lane(String name, long refused, long unneeded, long missed) {
    return lane(name, "10/minute", refused, unneeded, missed);
  }

  private static Findings.Lane lane(
      String name, String limit, long refused, long unneeded, long missed) {
    Timeline none = new Timeline(0, 1, 2);
    return new Findings.Lane(
        name,
        List.of(limit),
        1000 - refused,
        refused,
        refused == 0 ? 0 : 3,
        9,
        10,
        unneeded,
        missed,
        none,
        none,
        List.of());
  }

  private static String of(Findings.Lane... lanes) {
    return Verdict.of(List.of(lanes), 1000, 20);
  }

  @Test
  void nothing_came() {
    assertThat(Verdict.of(List.of(lane("sliding-log", 0, 0, 0)), 0, 0))
        .isEqualTo("No request came, so there is nothing to choose by.");
  }

  @Test
  void nobody_is_refused() {
    assertThat(of(lane("fixed-window", 0, 0, 0)))
        .isEqualTo("fixed-window refuses nobody: it admits all 1,000 requests of 20 clients.");
    assertThat(of(lane("fixed-window", 0, 0, 0), lane("sliding-log", 0, 0, 0)))
        .isEqualTo("Nobody is refused: every algorithm admits all 1,000 requests of 20 clients.");
  }

  @Test
  void one_lane_is_told_beside_the_exact_log() {
    assertThat(of(lane("token-bucket", 55, 1, 2)))
        .isEqualTo(
            "token-bucket refuses 5.5 % of the requests, from 3 of 20 clients;"
                + " beside the exact log it has 1 refused without need, 2 admitted too many.");
    assertThat(of(lane("token-bucket", 50, 0, 0)))
        .isEqualTo(
            "token-bucket refuses 5 % of the requests, from 3 of 20 clients;"
                + " the exact log would decide the same.");
    assertThat(of(lane("sliding-log", 50, 0, 0)))
        .isEqualTo("sliding-log refuses 5 % of the requests, from 3 of 20 clients.");
  }

  @Test
  void of_several_the_closest_to_the_exact_log_and_the_furthest_are_named() {
    assertThat(
            of(
                lane("fixed-window", 0, 0, 50),
                lane("sliding-log", 50, 0, 0),
                lane("sliding-counter", 51, 1, 0)))
        .isEqualTo(
            "The exact log refuses 5 % of the requests, from 3 of 20 clients; sliding-counter comes"
                + " closest (1 refused without need), fixed-window least (50 admitted too many).");
  }

  @Test
  void several_without_the_exact_log_are_measured_by_it_all_the_same() {
    assertThat(of(lane("fixed-window", 10, 0, 40), lane("leaky-bucket", 50, 0, 0)))
        .isEqualTo(
            "leaky-bucket comes closest to the exact log (no decision differs),"
                + " fixed-window least (40 admitted too many).");
  }

  @Test
  void several_that_decide_alike_are_told_so() {
    assertThat(of(lane("sliding-log", 1, 0, 0), lane("leaky-bucket", 1, 0, 0)))
        .isEqualTo(
            "The exact log refuses 0.1 % of the requests, from 3 of 20 clients;"
                + " every other algorithm decides the same.");
    assertThat(of(lane("fixed-window", 999, 0, 0), lane("leaky-bucket", 999, 0, 0)))
        .isEqualTo(
            "All decide as the exact log does: each refuses 99.9 % of the requests,"
                + " from 3 of 20 clients.");
  }

  @Test
  void without_an_exact_log_nothing_is_said_of_one() {
    Findings.Lane mild = lane("token-bucket", "2000000/minute", 10, 0, 0);
    Findings.Lane strict = lane("fixed-window", "2000000/minute", 50, 0, 0);
    assertThat(of(strict))
        .isEqualTo("fixed-window refuses 5 % of the requests, from 3 of 20 clients.");
    assertThat(of(mild, strict))
        .isEqualTo(
            "fixed-window refuses 5 % of the requests, from 3 of 20 clients, the most of all;"
                + " token-bucket refuses 1 % of the requests, from 3 of 20 clients.");
  }

  @Test
  void shares_are_never_rounded_to_nothing_or_everything() {
    assertThat(Figures.percent(1, 1_000_000)).isEqualTo("under 0.1 %");
    assertThat(Figures.percent(999_999, 1_000_000)).isEqualTo("over 99.9 %");
    assertThat(Figures.percent(0, 0)).isEqualTo("0 %");
    assertThat(Figures.percent(7, 7)).isEqualTo("100 %");
  }

  @Test
  void brief_numbers_read_well() {
    assertThat(Figures.brief(999)).isEqualTo("999");
    assertThat(Figures.brief(12_345_678)).isEqualTo("12.3M");
    assertThat(Figures.brief(999_960)).isEqualTo("1.0M");
  }
}
