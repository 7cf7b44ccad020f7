package dev.stint.server.engine;

/** Is told how long a remote store took. It must be quick and must not throw. */
public interface RoundTrips {

  /**
   * A call of the store has ended.
   *
   * @param answered whether it was answered; otherwise it failed, or was too late
   */
  void ended(boolean answered, long nanos);
}
