package dev.stint.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ContestantTest {

  private final KeyMaker maker = new KeyMaker();

  @ParameterizedTest
  @EnumSource
  void an_admitting_limit_admits_and_an_exhausted_key_is_refused(Contestant contestant) {
    Subject admitting = contestant.make(contestant.admitting(KeySet.MILLION), 1_000);
    admitting.insert(maker.text(1));
    for (int i = 0; i < 50; i++) {
      assertThat(admitting.hit(maker.text(1))).isTrue();
    }
    Subject refusing = contestant.make(contestant.refusing(), 1_000);
    refusing.exhaust(maker.text(1));
    assertThat(refusing.hit(maker.text(1))).isFalse();
    assertThat(refusing.hit(maker.text(2))).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void every_form_can_insert(Form form) {
    Asked asked = form.make(KeySet.THOUSAND);
    asked.insert(maker, 1);
    asked.insert(maker, 2);
  }

  @Test
  void answers_that_are_not_as_they_should_be_fail_the_benchmark() {
    Answers.ADMITTED.check(0, 1_000_000);
    Answers.REFUSED.check(1_000_000, 1_000_000);
    Answers.MIXED.check(500_000, 1_000_000);
    assertThatIllegalStateException()
        .isThrownBy(() -> Answers.ADMITTED.check(2_000, 1_000_000))
        .withMessage(
            "ADMITTED must refuse a share from 0.0 to 0.001 of the hits: it refused 2000 of 1000000");
    assertThatIllegalStateException().isThrownBy(() -> Answers.REFUSED.check(900, 1_000));
    assertThatIllegalStateException().isThrownBy(() -> Answers.MIXED.check(300, 1_000));
    assertThatIllegalStateException().isThrownBy(() -> Answers.ADMITTED.check(0, 0));
  }

  @Test
  void idle_logs_hold_what_the_scenario_says() {
    assertThat(new LogScenario(100, 3, 97).fill(10).get(maker.text(9))).isEqualTo(3);
    assertThat(new LogScenario(10_000, 3, 0).fill(10).get(maker.text(9))).isEqualTo(3);
  }
}
