package dev.stint.studio.log;

/** Takes the requests of a log, in order of time. */
public interface Sink {

  /**
   * A request.
   *
   * @param micros since the epoch, never earlier than before
   * @param key the number of the client, given out from 0 on in order of appearance
   */
  void request(long micros, int key, long cost);
}
