package dev.stint.algorithm;

/**
 * One way to limit, with its numbers: five functions on a {@link State} and a time in microseconds.
 *
 * <p>{@link Evaluation} makes every operation out of these five, so an algorithm is described here
 * once and runs in every store. The rules they keep:
 *
 * <ul>
 *   <li>{@link #advance} comes first in every operation; the other four may rely on it.
 *   <li>Asking ({@code used}, {@code waitFor}, {@code resetAt}) changes nothing. So several limits
 *       are decided all or nothing without anything to roll back: ask all, then tell all.
 *   <li>Every number stays below 2^53, so that a store whose numbers are doubles holds the same.
 * </ul>
 */
public sealed interface Algorithm permits FixedWindow, SlidingLog, SlidingCounter, Bucket, Quota {

  /** Counts saturate here. */
  long MAX_COUNT = (1L << 53) - 1;

  /** The wait that never ends, and the reset that never comes. */
  long NEVER = (1L << 53) - 1;

  /**
   * The last moment there is, in June 2255. Every state ends there at the latest, so that its reset
   * is below 2^53 and never taken for {@link #NEVER}.
   */
  long LAST_MOMENT = NEVER - 1;

  /** Brings the state up to now. Everything hard about time lives here. */
  void advance(State state, long now);

  /**
   * Whether the state's stamp lies more than one window ahead of {@code now}, so that {@link
   * #advance} would shift it. Either the clock stepped back by more than a window, or {@code now}
   * was read by a caller that then stalled while others went on. Only a store can tell the two
   * apart: it reads the clock again while nobody else can change the state.
   */
  boolean isAhead(State state, long now);

  /** How many units are in use. */
  long used(State state, long now);

  /**
   * Microseconds until {@code cost} fits; 0 when it fits now, {@link #NEVER} when it never does.
   */
  long waitFor(State state, long now, long cost);

  /**
   * Records use without asking; a negative amount gives back, never below zero. An amount of zero
   * opens the window that an amount of one would open; where there is none it does nothing.
   */
  void add(State state, long now, long amount);

  /**
   * How many more units a denied hit can add. Beyond that the state is saturated, and what it did
   * not take was not charged.
   */
  long headroom(State state, long now);

  /** Makes the units in use zero, before {@code add} makes them the number that a user has set. */
  default void empty(State state) {
    state.clear();
  }

  /** From when on the state is as good as absent; {@code now} when it already is. */
  long resetAt(State state, long now);

  /**
   * Gives back what an earlier {@code add(amount)} charged, as far as it still weighs on this
   * state. A late one mints nothing.
   *
   * @param stamp the {@link State#time} just after that charge
   * @param fraction the {@link State#fraction} just after that charge
   */
  void undo(State state, long now, long amount, long stamp, long fraction);

  /**
   * Rebuilds a state from its {@link #resetAt}, the one of count and fraction that this algorithm
   * uses, and the previous count. So a store may keep the moment of expiry in place of the time,
   * and know what has expired without knowing algorithms.
   */
  void restore(State state, long resetAt, long number, long previous);

  /** This algorithm in Lua. */
  Script script();

  /** The numbers that its Lua is made of, in the order in which it takes them. */
  long[] numbers();

  /** The largest cost that can ever fit. */
  long capacity();

  /** The window in microseconds; {@link #NEVER} where there is none. */
  long window();

  /** Whether a denied hit is charged too, as far as there is {@link #headroom}. */
  boolean countsDenied();

  /** Whether {@code now} must be the wall clock's, because windows are aligned to it. */
  default boolean followsWallClock() {
    return false;
  }
}
