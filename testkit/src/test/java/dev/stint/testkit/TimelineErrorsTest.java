package dev.stint.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every mistake in a timeline is told with its line, its column and the cure. */
class TimelineErrorsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          0s hitt 1                 | 3:4: unknown operation 'hitt'; did you mean 'hit'?
          0s refnd 1                | 3:4: unknown operation 'refnd'; did you mean 'refund'?
          hit 1                     | 3:1: a step must begin with its time, such as 250ms: 'hit'
          10 hit 1                  | 3:1: a step must begin with its time, such as 250ms: '10'
          1m hit 1                  | 3:1: unit must be one of us, ms, s, min, h, d: 'm'
          0.5us hit 1               | 3:1: time must be whole microseconds: '0.5us'
          0s hit 1 → alowed         | 3:12: unknown expectation 'alowed'; did you mean 'allowed'?
          0s hit 1 → 4 lef          | 3:14: expected 'left', 'used' or 'forgotten' after 4: 'lef'
          0s hit 1 → 4x left        | 3:12: expected a number, a whole number: '4x'
          0s hit 1 → retry 5s       | 3:18: expected 'in' and a time, or 'never': '5s'
          0s hit 1 → retry in 5     | 3:21: expected a time, a time such as 250ms: '5'
          0s hit 1 → retry in 5m    | 3:21: unit must be one of us, ms, s, min, h, d: 'm'
          0s hit 1 → not allowed    | 3:16: expected 'shared' or 'degraded' after 'not': 'allowed'
          0s hit 1 →                | 3:11: expected an expectation, but the timeline ends
          0s hit 1 → by c           | 3:15: unknown limit 'c'; did you mean 'a'?
          0s hit 1 of c             | 3:13: unknown limit 'c'; did you mean 'a'?
          0s hit 1 → allowed; a 1   | 3:23: expected ':' after the limit's name: '1'
          0s hit 1 of a → ok        | 3:17: unknown expectation 'ok'; did you mean 'by'?
          0s hit 1 of a → allowed; b: 1 left | 3:29: limit 'b' is not part of this step
          0s hit 1 and 1 of b       | 3:8: each part of a joint call must name its limit: '1 of <limit> @<key>'
          0s hit 1 shadow           | 3:8: each part of a joint call must name its limit: '1 of <limit> @<key>'
          0s inc 1 of a and 1 of b  | 3:19: inc must have one limit; use a step for each
          0s get 3                  | 3:8: get takes no amount: 3
          0s get → 5 used           | 3:12: '5 used' is no answer to get
          0s set 5 → count 5        | 3:18: set answers nothing; expect it of a get or peek in the next step
          0s hit as of              | 3:11: the name of a hit must be a word of its own: 'of'
          0s refund lunch           | 3:11: expected '→', the time of a next step, or the end: 'lunch'
          0s hit 1 please           | 3:10: expected '→', the time of a next step, or the end: 'please'
          limit c: 5/minit          | 3:10: rate string
          limit: 5/minute           | 3:1: several limits must have a label each, such as 'limit daily: 100/day'
          limit a: 5/minute         | 3:1: several limits must have a label each, such as 'limit daily: 100/day'
          limit 3: 5/minute         | 3:1: a limit's label must be a word: '3'
          start: tomorrow           | 3:8: start must be a moment such as 2024-01-01T00:00:00Z: 'tomorrow'
          """)
  void says_where_and_how_to_mend_it(String line, String error) {
    String text = "limit a: 5/second\nlimit b: 9/hour\n" + line;
    assertThatThrownBy(() -> Timeline.parseAll("api.timeline", text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("api.timeline:" + error);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ``                            | 1:1: a timeline must have at least one step, such as '0s hit 1'
          limit: 5/second               | 1:1: a timeline must have at least one step, such as '0s hit 1'
          0s hit~scene: empty           | 2:1: scene 'empty' must have at least one step, such as '0s hit 1'
          0s hit 1 of a                 | 1:13: no limit of this scene has a label: 'a'; give it one with 'limit a:'
          0s hit 1~limit: 5/second      | 2:1: a scene's limits and start must come before its first step: limit: 5/second
          0s hit 1~start: 2024-01-01T00:00:00Z | 2:1: a scene's limits and start must come before its first step: start: 2024-01-01T00:00:00Z
          0s hit as x~0s hit as x       | 2:11: the name of a hit must be a word of its own: 'x'
          """)
  void says_what_a_whole_timeline_lacks(String text, String error) {
    assertThatThrownBy(() -> Timeline.parseAll("t", text.replace('~', '\n')))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("t:" + error);
  }
}
