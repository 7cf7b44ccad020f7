package dev.stint.algorithm;

/** What a caller asks of a limit's state. {@link Evaluation} says what each one does. */
public enum Operation {
  /** Ask every limit, and charge all of them if all have room. */
  HIT,
  /** The answer that a hit would get, and nothing charged. */
  PEEK,
  /** Charge without asking. */
  INC,
  /** Give units back, never below zero. */
  REFUND,
  /** Give back what one earlier hit charged, as far as it still weighs on the state. */
  UNDO,
  /** Make the count a given number. */
  SET,
  /** Read what is in use and when it expires. */
  GET,
  /** Forget the state. */
  RESET;

  /** Whether this operation is a question that may be answered with no. */
  public boolean asks() {
    return this == HIT || this == PEEK;
  }
}
