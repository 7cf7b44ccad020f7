package dev.stint.redis;

import dev.stint.Decision;
import java.util.List;

/**
 * What a script answered to one question.
 *
 * @param all whether nobody refused
 * @param now the time of the decision
 * @param numbers what was answered, {@value #NUMBERS} numbers for each limit
 * @param decisions each limit's own answer
 */
record Answer(boolean all, long now, long[] numbers, List<Decision> decisions) {

  /** How many numbers answer for one limit; main.lua says which. */
  static final int NUMBERS = 5;

  /** Whether this limit's place was empty before. */
  boolean wasAbsent(int limit) {
    return numbers[NUMBERS * limit + 4] == 1;
  }
}
