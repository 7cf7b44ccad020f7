package dev.stint.studio.findings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Limit;
import dev.stint.studio.cli.Ink;
import dev.stint.studio.cli.Span;
import dev.stint.studio.trial.Plan;
import dev.stint.studio.trial.Trials;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FindingsTextTest {

  private static final Ink PLAIN = new Ink(false, false);

  /** Two clients around the edge of a minute: one sends thirty, one sends two. */
  private static Findings findings(List<String> algorithms, String busy) {
    return findings(algorithms, busy, List.of(), false);
  }

  private static Findings findings(
      List<String> algorithms, String busy, List<String> notes, boolean interrupted) {
    List<Plan> plans = Plan.of(Limit.parseAll("10/minute"), algorithms);
    try (Trials trials = new Trials(plans, 0, Span.SECOND, List.of())) {
      for (int i = 0; i < 30; i++) {
        trials.request(58 * Span.SECOND + i * Span.SECOND / 10, 0, 1);
      }
      trials.request(62 * Span.SECOND, 1, 1);
      trials.request(119 * Span.SECOND, 1, 1);
      List<Findings.Lane> lanes = Lanes.of(trials, key -> key == 0 ? busy : "quiet", 10);
      return new Findings(
          "replay",
          new Findings.Source("access.log", "combined", "ip", 35, 2, 1, Optional.empty(), notes),
          trials.requests(),
          trials.population().keys(),
          trials.arrivedOverTime(),
          lanes,
          List.of(),
          List.of(),
          Verdict.of(lanes, trials.requests(), trials.population().keys()),
          "",
          interrupted);
    }
  }

  @Test
  void tells_what_was_read_what_each_lane_did_who_was_refused_and_the_verdict() {
    Findings found = findings(List.of("fixed-window", "sliding-log"), "192.0.2.1");
    assertThat(FindingsText.of(found, PLAIN, 80))
        .isEqualTo(
            """
            access.log (combined, by ip): 32 requests of 2 clients in 1 min 59 s
            limit: 10/minute
            of 35 lines, 2 could not be understood and 1 came too late

                                             clients   worst   worst  unneeded
            algorithm     admitted  refused  refused  second  minute  refusals
            fixed-window        22       10        1      10      21         0
            sliding-log         12       20        1      10      11         0
            worst second and minute: all clients together

                          a column is 2 s, the highest 20
            arrived                                    █▄▁                           ▁
            fixed-window                               ▄▄▁                           ▁
                 refused                               ▄
            sliding-log                                ▄ ▁                           ▁
                 refused                               ▄▄

            refused most  requests  refused  how it came
            192.0.2.1           30       20  one burst, 30 in 3 s                ██
            each as told by the algorithm that refused it most

            → The exact log refuses 62.5 % of the requests, from 1 of 2 clients; beside it,
              fixed-window has 10 admitted too many.
            """);
  }

  @Test
  void fits_into_eighty_columns_with_every_algorithm() {
    String text = FindingsText.of(findings(List.of("all"), "192.0.2.1"), PLAIN, 80);
    assertThat(text.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
  }

  @Test
  void draws_with_ascii_characters_only_if_told_to() {
    String text = FindingsText.of(findings(List.of("all"), "192.0.2.1"), new Ink(false, true), 80);
    assertThat(text).matches("\\p{ASCII}*");
  }

  @Test
  void colours_change_nothing_but_colours() {
    Findings found = findings(List.of("all"), "192.0.2.1");
    String painted = FindingsText.of(found, new Ink(true, false), 80);
    assertThat(painted).contains("\u001b[31m").contains("\u001b[32m");
    assertThat(painted.replaceAll("\u001b\\[[0-9;]*m", "").replaceAll(" +\n", "\n"))
        .isEqualTo(FindingsText.of(found, PLAIN, 80));
  }

  @Test
  void a_key_cannot_write_to_the_terminal() {
    String text =
        FindingsText.of(findings(List.of("fixed-window"), "\u001b[2Jevil\u202e\n"), PLAIN, 80);
    assertThat(text).contains("?[2Jevil??").doesNotContain("\u001b");
  }

  @Test
  void a_long_key_is_cut() {
    String text = FindingsText.of(findings(List.of("fixed-window"), "k".repeat(300)), PLAIN, 80);
    assertThat(text).contains("k".repeat(22) + "..  ").doesNotContain("k".repeat(23));
  }

  @Test
  void notes_and_an_interruption_are_told_before_the_numbers() {
    Findings found = findings(List.of("fixed-window"), "a", List.of("whole seconds only"), true);
    assertThat(FindingsText.of(found, PLAIN, 80))
        .containsSubsequence("interrupted", "note: whole seconds only", "admitted");
  }

  @Test
  void a_number_and_its_unit_are_not_parted() {
    for (int more = 0; more < 80; more++) {
      String note = "x".repeat(more) + " 99.9 % of 2 h 59 min, and 5 d or 7 s.";
      String text =
          FindingsText.of(findings(List.of("fixed-window"), "a", List.of(note), false), PLAIN, 80);
      assertThat(text).contains("99.9 %", "2 h 59 min,", "5 d", "7 s.").doesNotContain("\u00a0");
    }
  }

  @Test
  void proposals_come_with_their_price_and_the_yaml() {
    Findings none = findings(List.of("fixed-window"), "a");
    Findings found =
        new Findings(
            "recommend",
            none.source(),
            32,
            2,
            none.arrived(),
            List.of(),
            List.of(),
            List.of(
                new Findings.Proposal("10/minute", 0.5, 1, 10, 0.9, "half of them never notice"),
                new Findings.Proposal("1000/hour", 1, 0, 0, 0, "nobody notices")),
            "take the second",
            "policies: {}\n",
            false);
    assertThat(FindingsText.of(found, PLAIN, 80))
        .endsWith(
            """

            10/minute  half of them never notice
            1000/hour  nobody notices

            → take the second

            policies: {}
            """);
  }
}
