package dev.stint.server.attack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Many hostile connections on one thread. Each sends an opening, then the same bytes again and
 * again for as long as the service takes them, and reads or does not. One that the service closes
 * is replaced, for a stubborn attacker. Some have all their connections end together, again and
 * again.
 */
final class Swarm implements AutoCloseable {

  private static final int MOST_CONNECTING = 200;
  private static final int RECEIVE_BUFFER = 4096;
  private static final int MOST_WRITES = 4;
  private static final long STAY = 1_500_000_000L;

  /**
   * What each connection does.
   *
   * @param opening what it sends first
   * @param again what it then sends again and again; null for nothing
   * @param reads whether it reads what is answered; one that sends nothing more always does
   * @param ends whether all of them end what they send at the same moment, every now and then
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Behaviour(byte[] opening, byte @Nullable [] again, boolean reads, boolean ends) {

    static Behaviour sendsOnce(byte[] opening) {
      return new Behaviour(opening, null, false, false);
    }

    static Behaviour neverReads(byte[] opening, byte[] again) {
      return new Behaviour(opening, again, false, false);
    }

    static Behaviour reads(byte[] opening, byte @Nullable [] again) {
      return new Behaviour(opening, again, true, false);
    }

    static Behaviour neverReadsAndEnds(byte[] opening, byte[] again) {
      return new Behaviour(opening, again, false, true);
    }
  }

  private final InetAddress from;
  private final InetSocketAddress to;
  private final int count;
  private final Behaviour behaviour;
  private final Selector selector;
  private final Thread thread;
  private final ByteBuffer scratch = ByteBuffer.allocateDirect(64 << 10);
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicLong closed = new AtomicLong();
  private final AtomicLong sent = new AtomicLong();
  private int connecting;
  private long began;
  private volatile boolean over;

  private Swarm(InetAddress from, InetSocketAddress to, int count, Behaviour behaviour)
      throws IOException {
    this.from = from;
    this.to = to;
    this.count = count;
    this.behaviour = behaviour;
    this.selector = Selector.open();
    this.thread = new Thread(this::run, "swarm");
    thread.setDaemon(true);
    thread.start();
  }

  static Swarm release(InetAddress from, InetSocketAddress to, int count, Behaviour behaviour) {
    try {
      return new Swarm(from, to, count, behaviour);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How many connections it wants to have open at once. */
  int size() {
    return count;
  }

  /** Whether it has made as many connections as it wants to have open, closed ones included. */
  boolean hasReachedSize() {
    return open.get() + closed.get() >= count;
  }

  /** Connections that are open as far as this side knows. */
  int open() {
    return open.get();
  }

  /** Connections that the service has closed or refused. */
  long closed() {
    return closed.get();
  }

  /** Bytes that were sent. */
  long sent() {
    return sent.get();
  }

  private void run() {
    int made = 0;
    began = System.nanoTime();
    long ended = began;
    try {
      while (!over) {
        if (behaviour.ends && System.nanoTime() - ended > STAY) {
          endAll();
          ended = System.nanoTime();
        }
        while (mayConnect(made)) {
          connect();
          made++;
        }
        selector.select(5);
        for (SelectionKey key : selector.selectedKeys()) {
          serve(key);
        }
        selector.selectedKeys().clear();
      }
      for (SelectionKey key : selector.keys()) {
        key.channel().close();
      }
      selector.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean mayConnect(int made) {
    return connecting < MOST_CONNECTING
        && open.get() + connecting < count
        && made < count + replacements();
  }

  /** Each connection is replaced every two seconds at most. */
  private long replacements() {
    return count * (System.nanoTime() - began) / 2_000_000_000L;
  }

  private void connect() throws IOException {
    SocketChannel channel = SocketChannel.open();
    channel.configureBlocking(false);
    // Closed by a reset, so that thousands of addresses do not wait for late packets.
    channel.setOption(StandardSocketOptions.SO_LINGER, 0);
    if (!behaviour.reads) {
      channel.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BUFFER);
    }
    try {
      channel.bind(new InetSocketAddress(from, 0));
      connecting++;
      SelectionKey key =
          channel.register(selector, SelectionKey.OP_CONNECT, ByteBuffer.wrap(behaviour.opening));
      if (channel.connect(to)) {
        connected(key);
      }
    } catch (IOException e) {
      connecting--;
      closed.incrementAndGet();
      channel.close();
    }
  }

  /** Ends what they send, and reads from now on, to notice when the service closes them. */
  private void endAll() throws IOException {
    for (SelectionKey key : selector.keys()) {
      if (key.isValid()
          && key.channel() instanceof SocketChannel channel
          && channel.isConnected()) {
        channel.shutdownOutput();
        key.interestOps(SelectionKey.OP_READ);
      }
    }
  }

  private void connected(SelectionKey key) {
    connecting--;
    open.incrementAndGet();
    key.interestOps(SelectionKey.OP_WRITE | (behaviour.reads ? SelectionKey.OP_READ : 0));
  }

  private void serve(SelectionKey key) throws IOException {
    SocketChannel channel = (SocketChannel) key.channel();
    boolean pending = channel.isConnectionPending();
    try {
      if (pending) {
        if (channel.finishConnect()) {
          connected(key);
        }
        return;
      }
      if (key.isReadable() && !read(channel)) {
        throw new IOException("closed by the service");
      }
      if (key.isWritable()) {
        write(channel, key);
      }
    } catch (IOException e) {
      if (pending) {
        connecting--;
      } else {
        open.decrementAndGet();
      }
      closed.incrementAndGet();
      channel.close();
    }
  }

  private boolean read(SocketChannel channel) throws IOException {
    scratch.clear();
    return channel.read(scratch) >= 0;
  }

  private void write(SocketChannel channel, SelectionKey key) throws IOException {
    ByteBuffer bytes = (ByteBuffer) key.attachment();
    for (int i = 0; i < MOST_WRITES; i++) {
      sent.addAndGet(channel.write(bytes));
      if (bytes.hasRemaining()) {
        return; // the service has enough for now
      }
      if (behaviour.again == null) {
        // Only to notice when the service closes the connection.
        key.interestOps(SelectionKey.OP_READ);
        return;
      }
      bytes = ByteBuffer.wrap(behaviour.again);
      key.attach(bytes);
    }
  }

  @Override
  public void close() {
    over = true;
    selector.wakeup();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
