package dev.stint.server.net;

/**
 * Whether the service takes requests. A store that is away does not change that: there are answers
 * without it.
 */
public final class Readiness {

  private volatile boolean draining;

  /** Whether new requests should come here. */
  public boolean isReady() {
    return !draining;
  }

  /** The service is about to stop: let new requests go elsewhere. */
  public void drain() {
    draining = true;
  }
}
