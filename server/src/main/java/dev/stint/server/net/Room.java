package dev.stint.server.net;

/**
 * How much the requests of an event loop that are not yet complete may hold together. The beginning
 * of each has a room of its own, so that those who send much leave some to those who send little.
 */
public final class Room {

  /** One request is allowed what all may hold together. */
  private static final long LEAST = 16L << 20;

  private static final int WORTH_OF_LARGEST = 4;
  private static final int BEGINNING = 4 << 10;

  private final long most;
  private long beginnings;
  private long rest;

  /** Room for a few of the largest requests. */
  public Room(int largest) {
    this.most = Math.max(LEAST, (long) WORTH_OF_LARGEST * largest);
  }

  /**
   * Takes room for some more bytes of a request.
   *
   * @param already how many it holds
   * @return false if there is none, and then none is taken
   */
  public boolean take(int bytes, int already) {
    int first = Math.max(0, Math.min(bytes, BEGINNING - already));
    if (beginnings + first > LEAST || rest + (bytes - first) > most) {
      return false;
    }
    beginnings += first;
    rest += bytes - first;
    return true;
  }

  /** Gives back all that a request holds. */
  public void giveBack(int bytes) {
    int first = Math.min(bytes, BEGINNING);
    beginnings -= first;
    rest -= bytes - first;
  }

  /** How much there is. */
  public long most() {
    return most;
  }
}
