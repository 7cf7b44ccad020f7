package dev.stint.server.net;

/** What bytes are counted for: a connection, or one of several requests on it. */
public interface Holder {

  /** Counts bytes that are held for a client; false, and none are, if there is no room. */
  boolean hold(long bytes);

  /** Counts bytes no more that were held. */
  void release(long bytes);
}
