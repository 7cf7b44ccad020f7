package dev.stint.algorithm;

/**
 * What one limit answered to one operation, in plain numbers.
 *
 * @param allowed whether the cost fits (always true for operations that do not ask)
 * @param changed whether the state must be written back
 * @param used units in use afterwards
 * @param remaining units free afterwards, never negative
 * @param waitFor microseconds until the cost fits, 0 if it did, {@link Algorithm#NEVER}
 * @param next microseconds until one more unit than {@code remaining} is free; {@link #FULL} when
 *     all are
 * @param now the time of the decision
 * @param resetAt from when on the state is as good as absent
 * @param charged units charged by a hit, 0 if none were
 * @param stamp the state's time just after the charge
 * @param fraction the state's fraction just after the charge
 */
public record Outcome(
    boolean allowed,
    boolean changed,
    long used,
    long remaining,
    long waitFor,
    long next,
    long now,
    long resetAt,
    long charged,
    long stamp,
    long fraction) {

  /** The {@code next} of a limit that is not in use at all. */
  public static final long FULL = -1;
}
