package dev.stint.server.net;

/**
 * Fired once nothing more will be read from a connection because the service stops. The handler of
 * a protocol {@linkplain #take takes} it, answers what it has received, and closes the channel; the
 * channel is closed at once if no handler does.
 */
public final class DrainEvent {

  private boolean taken;

  DrainEvent() {}

  /** The caller will close the channel. */
  public void take() {
    taken = true;
  }

  boolean isTaken() {
    return taken;
  }
}
