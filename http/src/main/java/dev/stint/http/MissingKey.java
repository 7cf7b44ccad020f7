package dev.stint.http;

/** What it means when a request has not the key that a rule counts by. */
public enum MissingKey {
  /** The rule does not apply. */
  SKIP,
  /** All who have no key are counted as one. */
  SHARED,
  /** The request is refused, with status 403. */
  DENY
}
