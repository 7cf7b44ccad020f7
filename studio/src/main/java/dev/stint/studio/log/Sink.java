package dev.stint.studio.log;

/** Takes the requests of a log, in order of time. */
@FunctionalInterface
public interface Sink {

  /**
   * A request.
   *
   * @param micros since the epoch, never earlier than before
   * @param key the number of the client, given out from 0 on in order of appearance
   */
  void request(long micros, int key, long cost);

  /** Several requests, the first {@code size} of these. Override it where that costs less. */
  default void requests(long[] micros, int[] keys, long[] costs, int size) {
    for (int i = 0; i < size; i++) {
      request(micros[i], keys[i], costs[i]);
    }
  }
}
