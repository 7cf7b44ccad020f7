package dev.stint.server.config;

import java.time.Duration;

/**
 * Where the service counts.
 *
 * @param url {@code memory}, or the address of a Redis, a Sentinel set or a Cluster
 * @param maxKeys how many keys of policies are told apart in memory
 * @param requestKeys how many keys of limits that come with requests are, in addition
 * @param prefix what every key in Redis begins with
 * @param deadline how long a decision may wait for Redis
 * @param instances how many instances share the limits; each enforces its part while Redis is away
 */
public record StoreSettings(
    String url, long maxKeys, long requestKeys, String prefix, Duration deadline, int instances) {

  private static final String MEMORY = "memory";
  private static final long MAX_KEYS = 1_000_000;

  /** A million keys of policies in memory, and a tenth of that for limits of requests. */
  public static StoreSettings memory() {
    return at(MEMORY);
  }

  /** A store at this address, with the usual settings. */
  public static StoreSettings at(String url) {
    return new StoreSettings(
        url, MAX_KEYS, requestKeys(MAX_KEYS), "stint", Duration.ofMillis(25), 1);
  }

  /** The default for limits that come with requests: a tenth of {@code maxKeys}. */
  static long requestKeys(long maxKeys) {
    return Math.max(1, maxKeys / 10);
  }

  /**
   * The same at another address.
   *
   * @throws IllegalArgumentException with the end of a sentence, if it is none
   */
  public StoreSettings url(String other) {
    return new StoreSettings(
        StorePart.url(other), maxKeys, requestKeys, prefix, deadline, instances);
  }

  /** Whether the service counts in its own memory. */
  public boolean isMemory() {
    return url.equals(MEMORY);
  }

  /** Without the address, which may hold a password. */
  @Override
  public String toString() {
    int scheme = url.indexOf(':');
    return scheme < 0 ? url : url.substring(0, scheme);
  }
}
