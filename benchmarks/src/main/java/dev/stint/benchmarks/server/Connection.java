package dev.stint.benchmarks.server;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Arrays;

/** A connection with a number of requests under way, and when each of them began. */
final class Connection implements Talk.Replies {

  private static final int BUFFER = 1 << 16;

  /** More than can be under way even if answers overtake each other. */
  private static final int REMEMBERED = 1 << 12;

  /** Who counts the answers. */
  interface Counter {
    void answered(long begun, boolean allowed);
  }

  private final SocketChannel channel;
  private final SelectionKey key;
  private final Talk talk;
  private final int depth;
  private final Counter counter;
  private final ByteBuffer in = ByteBuffer.allocate(BUFFER);
  private final ByteBuffer out = ByteBuffer.allocate(BUFFER);
  private final long[] begun = new long[REMEMBERED];
  private long asked;
  private int underWay;

  Connection(Selector selector, int port, Talk talk, int depth, Counter counter)
      throws IOException {
    this.talk = talk;
    this.depth = depth;
    this.counter = counter;
    channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(false);
    key = channel.register(selector, SelectionKey.OP_READ, this);
    talk.greet(out);
  }

  boolean isFree() {
    return underWay < depth;
  }

  int underWay() {
    return underWay;
  }

  /** Asks, as soon as {@link #flush} is called; {@code when} is where its time begins. */
  void ask(long when) {
    begun[(int) (asked++ & (REMEMBERED - 1))] = when;
    underWay++;
    talk.ask(out);
  }

  void flush() throws IOException {
    talk.courtesies(out);
    out.flip();
    if (out.hasRemaining()) {
      channel.write(out);
    }
    int interest = SelectionKey.OP_READ | (out.hasRemaining() ? SelectionKey.OP_WRITE : 0);
    if (key.interestOps() != interest) {
      key.interestOps(interest);
    }
    out.compact();
  }

  /** Takes in what has come. */
  void hear() throws IOException {
    int read = channel.read(in);
    if (read < 0) {
      throw new EOFException("a server of the benchmark must not close a connection");
    }
    if (read == 0) {
      return;
    }
    int end = talk.hear(in.array(), 0, in.position(), this);
    in.flip().position(end);
    in.compact();
    if (!in.hasRemaining()) {
      throw new WrongReply("an answer must be short", in.array(), 0, in.capacity());
    }
  }

  @Override
  public void answered(long number, boolean allowed) {
    underWay--;
    counter.answered(begun[(int) (number & (REMEMBERED - 1))], allowed);
  }

  void close() throws IOException {
    channel.close();
  }

  /** Asks once on a connection of its own; the answer as it came. */
  static byte[] sample(int port, Talk talk) throws IOException {
    try (SocketChannel channel =
        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
      ByteBuffer out = ByteBuffer.allocate(BUFFER);
      ByteBuffer in = ByteBuffer.allocate(BUFFER);
      talk.greet(out);
      talk.ask(out);
      boolean[] answered = new boolean[1];
      for (int heard = 0; !answered[0]; ) {
        talk.courtesies(out);
        channel.write(out.flip());
        out.clear();
        if (channel.read(in) < 0) {
          throw new EOFException("a server of the benchmark must answer");
        }
        heard = talk.hear(in.array(), heard, in.position(), (n, allowed) -> answered[0] = true);
      }
      return Arrays.copyOf(in.array(), in.position());
    }
  }
}
