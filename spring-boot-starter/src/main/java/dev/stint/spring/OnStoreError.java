package dev.stint.spring;

/** What happens to requests while the store cannot be asked. */
public enum OnStoreError {
  /** Each instance counts for itself, with its share of every limit. */
  LOCAL,
  /** They pass. */
  ALLOW,
  /** They are refused with 503. */
  DENY
}
