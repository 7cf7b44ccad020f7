package dev.stint.server.net;

import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;

/**
 * How much of a connection is read at once.
 *
 * <p>A decoder makes objects of everything it is given before anything can stop it: of 64 KiB, more
 * than three thousand requests of HTTP/1.1, which takes milliseconds. Meanwhile no other connection
 * of the event loop is served. A connection that was never answered gets less, because a crowd of
 * them costs a client nothing.
 *
 * <p>Within these bounds, a portion is about as large as what comes: a buffer that stays mostly
 * empty still takes its place in the processor's caches.
 */
final class ReadPortions extends DefaultMaxMessagesRecvByteBufAllocator {

  private static final int MOST = 16 << 10;
  private static final int FIRST = 2 << 10;

  /** After so many reads that filled less than a quarter, portions are halved. */
  private static final int SMALL_READS = 16;

  private final ConnectionBudget connection;

  ReadPortions(ConnectionBudget connection) {
    super(1);
    this.connection = connection;
  }

  @Override
  @SuppressWarnings("deprecation") // Netty has no other type for it
  public Handle newHandle() {
    return new MaxMessageHandle() {
      private int portion = FIRST;
      private int smallReads;

      @Override
      public int guess() {
        return connection.isProven() ? portion : FIRST;
      }

      @Override
      public void lastBytesRead(int bytes) {
        if (bytes == attemptedBytesRead()) {
          portion = Math.min(MOST, 2 * portion);
          smallReads = 0;
        } else if (bytes >= portion / 4) {
          smallReads = 0;
        } else if (++smallReads == SMALL_READS) {
          portion = Math.max(FIRST, portion / 2);
          smallReads = 0;
        }
        super.lastBytesRead(bytes);
      }
    };
  }
}
