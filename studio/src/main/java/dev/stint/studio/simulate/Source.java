package dev.stint.studio.simulate;

/**
 * Requests in order of time, that may depend on what earlier ones were answered.
 *
 * <p>Whoever {@linkplain #take takes} a request says what it was {@linkplain #answered answered}
 * before asking for the next.
 */
interface Source {

  /** A moment that does not come. */
  long NEVER = Long.MAX_VALUE;

  /** When the next request comes, in microseconds since the start; {@link #NEVER} if none does. */
  long next();

  /** The request that comes next. */
  Request take();

  /**
   * What the request just taken was answered.
   *
   * @param retryAfter when it would have been allowed, in microseconds; {@link #NEVER}
   */
  default void answered(boolean allowed, long retryAfter) {}

  /** One request, so many microseconds after the start. */
  record Request(long at, String key, long cost) {}
}
