package dev.stint.redis;

import dev.stint.Decision;
import java.util.List;

/**
 * What a script answered to one question.
 *
 * @param all whether nobody refused
 * @param decisions each limit's own answer
 * @param absent whether each limit's place was empty before
 */
record Answer(boolean all, List<Decision> decisions, boolean[] absent) {

  /** How many numbers answer for one limit; main.lua says which. */
  static final int NUMBERS = 5;
}
