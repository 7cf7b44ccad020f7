package dev.stint.algorithm;

/**
 * What one limit answered to one operation, in plain numbers.
 *
 * <p>A bare struct that {@link Evaluation} fills, for the same reason as {@link State}: a caller
 * that makes one, has it filled and reads it never has it on the heap.
 */
public final class Outcome {

  /** The {@link #next} of a limit that is not in use at all. */
  public static final long FULL = -1;

  /** Nothing answered yet. */
  public Outcome() {}

  /** Whether the cost fits; always true for operations that do not ask. */
  public boolean allowed;

  /** Whether the state must be written back. */
  public boolean changed;

  /** Units in use afterwards. */
  public long used;

  /** Units free afterwards, never negative. */
  public long remaining;

  /**
   * Microseconds until the cost fits the state as it is afterwards; 0 if it was admitted, {@link
   * Algorithm#NEVER} if it never will. A limit that counts denied hits may have a wait although it
   * had room, if another limit of the call refused.
   */
  public long wait;

  /** Microseconds until one more unit than {@link #remaining} is free; {@link #FULL} if all are. */
  public long next;

  /** The time of the decision. */
  public long now;

  /** From when on the state is as good as absent. */
  public long resetAt;

  /** Units charged by a hit, 0 if none were; less than its cost if the state is saturated. */
  public long charged;

  /** The state's time just after the charge. */
  public long stamp;

  /** The state's {@link State#fraction} just after the charge. */
  public long fraction;

  /** What sums the state up for a {@code Decision}: its number, or the units in a log. */
  public long number;

  /** What sums the state up: its previous count, or {@link #next} of a log. */
  public long previous;

  /** The same answer, to keep. */
  public Outcome copy() {
    Outcome copy = new Outcome();
    copyTo(copy);
    return copy;
  }

  /** Makes {@code copy} the same answer. */
  public void copyTo(Outcome copy) {
    copy.allowed = allowed;
    copy.changed = changed;
    copy.used = used;
    copy.remaining = remaining;
    copy.wait = wait;
    copy.next = next;
    copy.now = now;
    copy.resetAt = resetAt;
    copy.charged = charged;
    copy.stamp = stamp;
    copy.fraction = fraction;
    copy.number = number;
    copy.previous = previous;
  }
}
