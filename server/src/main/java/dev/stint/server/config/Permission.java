package dev.stint.server.config;

/** What a client may be allowed to do. */
public enum Permission {
  /** Ask for decisions and read counts: hit, peek and get, on every wire. */
  DECIDE,

  /** Change counts without a decision: inc, refund, set, reset and negative hits, on every wire. */
  CHANGE
}
