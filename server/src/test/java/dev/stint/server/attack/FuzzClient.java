package dev.stint.server.attack;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Sends inputs, each on a connection of its own and many at once, and waits until each is answered
 * or closed.
 */
final class FuzzClient {

  private static final int AT_ONCE = 400;
  private static final int KEPT = 4096;

  /** Longer than the idle timeout of the service under test, by what a busy machine takes. */
  private static final long LONGEST_NANOS = 30_000_000_000L;

  /** What is no business of a client's. */
  private static final List<String> INTERNALS =
      List.of("java.", "dev.stint", "io.netty", "io.vertx", "com.fasterxml", "Exception", "\tat ");

  private final InetSocketAddress to;
  private final boolean framed;
  private final ByteBuffer scratch = ByteBuffer.allocateDirect(64 << 10);
  private final List<String> wrong = new ArrayList<>();
  private int answered;
  private int closed;

  /**
   * A client of this address.
   *
   * @param framed whether answers are frames of HTTP/2
   */
  FuzzClient(InetSocketAddress to, boolean framed) {
    this.to = to;
    this.framed = framed;
  }

  /** One input on its way. */
  private static final class Exchange {
    private final int number;
    private final ByteBuffer input;
    private final ByteBuffer answer = ByteBuffer.allocate(KEPT);
    private final long began = System.nanoTime();

    Exchange(int number, byte[] input) {
      this.number = number;
      this.input = ByteBuffer.wrap(input);
    }
  }

  /** What was not answered or closed in time, and answers that tell too much. */
  List<String> wrong() {
    return wrong;
  }

  @Override
  public String toString() {
    return answered + " answered, " + closed + " closed";
  }

  /** Sends so many inputs, beginning with this. */
  void send(int from, int count, IntFunction<byte[]> inputs) throws IOException {
    try (Selector selector = Selector.open()) {
      int next = from;
      long looked = System.nanoTime();
      while (next < from + count || !selector.keys().isEmpty()) {
        while (next < from + count && selector.keys().size() < AT_ONCE) {
          connect(selector, new Exchange(next, inputs.apply(next)));
          next++;
        }
        selector.select(20);
        for (SelectionKey key : selector.selectedKeys()) {
          if (key.isValid()) {
            serve(key);
          }
        }
        selector.selectedKeys().clear();
        if (System.nanoTime() - looked > 100_000_000) {
          looked = System.nanoTime();
          giveUp(selector, looked);
        }
        selector.selectNow(); // removes what was closed
      }
    }
  }

  private void connect(Selector selector, Exchange exchange) throws IOException {
    SocketChannel channel = SocketChannel.open();
    channel.configureBlocking(false);
    channel.setOption(StandardSocketOptions.SO_LINGER, 0);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.register(selector, SelectionKey.OP_CONNECT, exchange);
    channel.connect(to);
  }

  private void serve(SelectionKey key) throws IOException {
    SocketChannel channel = (SocketChannel) key.channel();
    Exchange exchange = (Exchange) key.attachment();
    try {
      if (key.isConnectable() && channel.finishConnect()) {
        key.interestOps(SelectionKey.OP_WRITE | SelectionKey.OP_READ);
        return;
      }
      if (key.isReadable()) {
        scratch.clear();
        if (channel.read(scratch) < 0) {
          throw new IOException("closed by the service");
        }
        scratch.flip();
        scratch.limit(Math.min(scratch.limit(), exchange.answer.remaining()));
        exchange.answer.put(scratch);
        if (isAnswer(exchange.answer)) {
          answered++;
          end(channel, exchange);
          return;
        }
      }
      if (key.isWritable()) {
        channel.write(exchange.input);
        if (!exchange.input.hasRemaining()) {
          key.interestOps(SelectionKey.OP_READ);
        }
      }
    } catch (IOException e) {
      if (channel.isConnectionPending()) {
        wrong.add("input " + exchange.number + " could not connect: " + e);
      }
      closed++;
      end(channel, exchange);
    }
  }

  private void end(SocketChannel channel, Exchange exchange) throws IOException {
    channel.close();
    String text =
        new String(
            exchange.answer.array(),
            0,
            exchange.answer.position(),
            java.nio.charset.StandardCharsets.ISO_8859_1);
    for (String internal : INTERNALS) {
      int at = text.indexOf(internal);
      if (at >= 0) {
        wrong.add(
            "input "
                + exchange.number
                + " was answered with "
                + text.substring(Math.max(0, at - 60), Math.min(text.length(), at + 60)));
        return;
      }
    }
  }

  /** Over HTTP/2 the service's settings and the like come first; an answer belongs to a stream. */
  private boolean isAnswer(ByteBuffer answer) {
    if (!framed) {
      return answer.position() > 0;
    }
    for (int at = 0; at + 9 <= answer.position(); ) {
      int length =
          ((answer.get(at) & 255) << 16)
              | ((answer.get(at + 1) & 255) << 8)
              | (answer.get(at + 2) & 255);
      byte type = answer.get(at + 3);
      if (type == Http2Frames.HEADERS
          || type == Http2Frames.RST_STREAM
          || type == Http2Frames.GOAWAY) {
        return true;
      }
      at += 9 + length;
    }
    return !answer.hasRemaining();
  }

  private void giveUp(Selector selector, long now) throws IOException {
    for (SelectionKey key : selector.keys()) {
      Exchange exchange = (Exchange) key.attachment();
      if (key.isValid() && now - exchange.began > LONGEST_NANOS) {
        wrong.add("input " + exchange.number + " was neither answered nor closed in time");
        key.channel().close();
      }
    }
  }
}
