package dev.stint.redis;

import dev.stint.Decision;
import java.util.List;

/** What a script answered to one question. */
final class Answer {

  /** How many numbers answer for one limit; main.lua says which. */
  static final int NUMBERS = 5;

  private final boolean all;
  private final long now;
  private final long[] numbers;
  private final List<Decision> decisions;

  Answer(boolean all, long now, long[] numbers, List<Decision> decisions) {
    this.all = all;
    this.now = now;
    this.numbers = numbers;
    this.decisions = decisions;
  }

  /** Whether nobody refused. */
  boolean all() {
    return all;
  }

  /** The time of the decision. */
  long now() {
    return now;
  }

  /** One of the {@value #NUMBERS} numbers of the first limit. */
  long number(int i) {
    return numbers[i];
  }

  /** Each limit's own answer. */
  List<Decision> decisions() {
    return decisions;
  }

  /** Whether this limit's place was empty before. */
  boolean wasAbsent(int limit) {
    return numbers[NUMBERS * limit + 4] == 1;
  }
}
