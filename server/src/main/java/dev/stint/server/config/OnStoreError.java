package dev.stint.server.config;

/** What a policy answers while the store cannot be asked. */
public enum OnStoreError {
  /** Each instance counts its part of the limit in memory. */
  LOCAL,
  /** Everything passes. */
  ALLOW,
  /** Nothing passes. */
  DENY
}
