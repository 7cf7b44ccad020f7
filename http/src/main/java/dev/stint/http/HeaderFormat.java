package dev.stint.http;

/** In which fields an answer says how much is left. */
public enum HeaderFormat {
  /** {@code RateLimit-Policy} and {@code RateLimit}, structured fields of the IETF's draft. */
  IETF,
  /** {@code RateLimit-Limit}, {@code RateLimit-Remaining}, {@code RateLimit-Reset} in seconds. */
  LEGACY,
  /** {@code X-RateLimit-Limit}, {@code -Remaining}, {@code -Used}, {@code -Reset} as Unix time. */
  GITHUB,
  /** None. A refusal has its {@code Retry-After} all the same. */
  NONE
}
