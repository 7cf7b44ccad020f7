package dev.stint.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy before a loopback port that can be slow, silent, deaf or gone. Every control may be
 * used at any time from any thread, and concerns the connections there are as well as those to
 * come. <em>Requests</em> are the bytes from the clients, <em>replies</em> those from the server.
 */
public final class TcpProxy implements AutoCloseable {
  private static final int CONNECT_MILLIS = 2_000;

  private final int target;
  private final int port;
  private final Wire requests = new Wire();
  private final Wire replies = new Wire();
  private final Set<ProxiedConnection> open = ConcurrentHashMap.newKeySet();
  private @Nullable ServerSocket listener;
  private @Nullable Thread acceptor;
  private Cut cut = Cut.none();
  private volatile boolean closed;

  private TcpProxy(int target) {
    this.target = target;
    ServerSocket first = Ports.listen();
    this.port = first.getLocalPort();
    listen(first);
  }

  /** Starts a proxy before the server on this loopback port. */
  public static TcpProxy to(int port) {
    return new TcpProxy(port);
  }

  public int port() {
    return port;
  }

  public String uri() {
    return "redis://127.0.0.1:" + port;
  }

  /** Delays requests and replies by this much each, without limiting how many are on their way. */
  public void latency(Duration eachWay) {
    requests.latency(eachWay);
    replies.latency(eachWay);
  }

  /**
   * Closes all connections, once, as soon as {@code n} more bytes of requests have been forwarded;
   * they arrive, the next does not, and no reply to them comes back. With 0, it is the next byte
   * that closes the connections. Replaces a cut that has not happened yet.
   */
  public void cutAfterRequestBytes(long n) {
    cut(requests, n);
  }

  /** As {@link #cutAfterRequestBytes}, for replies. */
  public void cutAfterReplyBytes(long n) {
    cut(replies, n);
  }

  /** Returns when the cut asked for last has happened. */
  public void awaitCut(Duration limit) {
    Cut awaited;
    synchronized (this) {
      awaited = cut;
    }
    Await.until("the cut", limit, awaited::isDone);
  }

  /** Forwards requests and discards the replies, as long as set. */
  public void swallowReplies(boolean swallow) {
    replies.swallow(swallow);
  }

  /**
   * Forwards in writes of at most so many bytes, with a moment between them, so that the receiver
   * sees them singly as a rule; 0 forwards as it comes.
   */
  public void slice(int bytes) {
    requests.slice(bytes);
    replies.slice(bytes);
  }

  /** Holds back all bytes and ends both ways, with the connections open, as long as set. */
  public void pause(boolean pause) {
    requests.pause(pause);
    replies.pause(pause);
  }

  /** Closes all connections with a TCP reset, on both sides. */
  public void reset() {
    open.forEach(ProxiedConnection::reset);
  }

  /** Refuses new connections, as long as set; those there are stay. */
  public synchronized void refuse(boolean refuse) {
    try {
      if (refuse && listener != null && acceptor != null) {
        listener.close();
        // The system listens on until the thread has left its accept().
        acceptor.join();
        listener = null;
        acceptor = null;
      } else if (!refuse && listener == null) {
        listen(Ports.listen(port));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while closing port " + port, e);
    }
  }

  /** Counts the connections that are open now. */
  public int connections() {
    return open.size();
  }

  /** Counts the bytes of requests forwarded so far. */
  public long requestBytes() {
    return requests.bytes();
  }

  /** Counts the bytes of replies forwarded so far, without the swallowed ones. */
  public long replyBytes() {
    return replies.bytes();
  }

  @Override
  public void close() {
    closed = true;
    refuse(true);
    open.forEach(ProxiedConnection::close);
  }

  private synchronized void cut(Wire wire, long bytes) {
    requests.cut(Cut.none());
    replies.cut(Cut.none());
    cut =
        new Cut(
            bytes,
            () -> open.forEach(ProxiedConnection::sever),
            () -> open.forEach(ProxiedConnection::close));
    wire.cut(cut);
  }

  private synchronized void listen(ServerSocket socket) {
    listener = socket;
    acceptor = ProxiedConnection.daemon("accept " + port, () -> accept(socket));
    acceptor.start();
  }

  private void accept(ServerSocket socket) {
    while (!socket.isClosed()) {
      try {
        connect(socket.accept());
      } catch (IOException e) {
        // Closed by refuse(), or a client that is gone already: the loop's condition tells.
      }
    }
  }

  private void connect(Socket client) throws IOException {
    Socket server = new Socket();
    try {
      server.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), target), CONNECT_MILLIS);
    } catch (IOException e) {
      client.close();
      server.close();
      return;
    }
    ProxiedConnection connection = new ProxiedConnection(client, server, open);
    connection.start(requests, replies);
    // close() may have looked at the connections before this one was among them.
    if (closed) connection.close();
  }
}
