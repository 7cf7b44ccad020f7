package dev.stint.redis;

import dev.stint.Decision;
import java.util.ArrayList;
import java.util.List;

/** What a script answered to one question. */
final class Answer {

  /** How many numbers answer for one limit; main.lua says which. */
  static final int NUMBERS = 6;

  // The numbers of one limit, by their places.
  static final int WAIT = 0;
  static final int RESET_AT = 1;
  static final int NUMBER = 2;
  static final int PREVIOUS = 3;
  static final int CHARGED = 4;
  private static final int FLAGS = 5;

  private static final int ABSENT = 1;
  private static final int FITS = 2;

  private final Question question;
  private final boolean all;
  private final long now;
  private final long[] numbers;
  private final List<Decision> decisions;

  private Answer(Question question, boolean all, long now, long[] numbers) {
    this.question = question;
    this.all = all;
    this.now = now;
    this.numbers = numbers;
    this.decisions = new ArrayList<>(question.size());
  }

  /** Reads the answer to a question. */
  static Answer of(Question question, long now, Reply reply) {
    int size = question.size();
    long[] numbers = new long[size * NUMBERS];
    boolean all = !question.isDenied();
    for (int i = 0; i < size; i++) {
      for (int n = 0; n < NUMBERS; n++) {
        numbers[NUMBERS * i + n] = reply.next(n == FLAGS ? 1 : 7);
      }
      boolean fits = (numbers[NUMBERS * i + FLAGS] & FITS) != 0;
      all &= fits || question.limits().get(i).isShadow();
    }
    Answer answer = new Answer(question, all, now, numbers);
    for (int i = 0; i < size; i++) {
      answer.decisions.add(question.decision(i, answer, all));
    }
    return answer;
  }

  /** Whether nobody refused. */
  boolean all() {
    return all;
  }

  /** The time of the decision. */
  long now() {
    return now;
  }

  /** One of the {@value #NUMBERS} numbers of a limit. */
  long number(int limit, int i) {
    return numbers[NUMBERS * limit + i];
  }

  /** Whether this limit by itself had room. */
  boolean fits(int limit) {
    return (number(limit, FLAGS) & FITS) != 0;
  }

  /** Each limit's own answer. */
  List<Decision> decisions() {
    return decisions;
  }

  /** This limit's own answer if the hit, which all these admitted, was then refused elsewhere. */
  Decision refusedElsewhere(int limit) {
    return question.decision(limit, this, false);
  }

  /** Whether this limit's place was empty before. */
  boolean wasAbsent(int limit) {
    return (number(limit, FLAGS) & ABSENT) != 0;
  }
}
