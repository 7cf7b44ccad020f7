package dev.stint.server.net;

/** The open connections of a listener, counted from accept on, and how many there may be. */
public final class Connections {

  private final int id;
  private final Pool pool;
  private final WireCounters counters = new WireCounters();

  /** At most so many, of a listener that is not {@linkplain GuardedTransport guarded}. */
  public Connections(int most) {
    this(0, most);
  }

  /**
   * At most so many.
   *
   * @param id a number that no other listener has
   */
  public Connections(int id, int most) {
    this.id = id;
    this.pool =
        new Pool(
            RejectionCause.CONNECTION_LIMIT,
            most,
            connection -> connection.listener() == this ? 1 : 0);
  }

  int id() {
    return id;
  }

  Pool pool() {
    return pool;
  }

  /** How many are open. */
  public int open() {
    return (int) pool.used();
  }

  /** How many there may be. */
  public int most() {
    return (int) pool.total();
  }

  /** What else is counted of this listener. */
  public WireCounters counters() {
    return counters;
  }
}
