package dev.stint.server.net;

import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;

/**
 * How much of a connection is read at once.
 *
 * <p>A decoder makes objects of everything it is given before anything can stop it: of 64 KiB, more
 * than three thousand requests of HTTP/1.1, which takes milliseconds. Meanwhile no other connection
 * of the event loop is served. A connection that was never answered gets less, because a crowd of
 * them costs a client nothing.
 */
final class ReadPortions extends DefaultMaxMessagesRecvByteBufAllocator {

  static final int LARGEST = 16 << 10;

  private static final int FIRST = 2 << 10;

  private final ConnectionBudget connection;

  ReadPortions(ConnectionBudget connection) {
    super(1);
    this.connection = connection;
  }

  @Override
  @SuppressWarnings("deprecation") // Netty has no other type for it
  public Handle newHandle() {
    return new MaxMessageHandle() {
      @Override
      public int guess() {
        return connection.isProven() ? LARGEST : FIRST;
      }
    };
  }
}
