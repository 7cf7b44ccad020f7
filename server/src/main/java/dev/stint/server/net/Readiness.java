package dev.stint.server.net;

/**
 * Whether the service takes requests. It is ready from the start until it is told to stop. A store
 * that cannot be reached does not change that, because requests are answered without it.
 */
public final class Readiness {

  private volatile boolean stopping;

  /** Whether new requests should be sent here. */
  public boolean isReady() {
    return !stopping;
  }

  /** The service is about to stop: load balancers should send new requests elsewhere. */
  public void stop() {
    stopping = true;
  }
}
