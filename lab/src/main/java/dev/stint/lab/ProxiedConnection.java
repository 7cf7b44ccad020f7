package dev.stint.lab;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.Arrays;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A client's connection and the one to the server behind it. Each way has two threads with a queue
 * between them: if one thread did both, a delayed chunk would delay the reading of the next, and
 * the two delays would add up.
 */
final class ProxiedConnection {
  private static final int CHUNK_BYTES = 64 * 1024;
  private static final int QUEUED_CHUNKS = 256;

  private final Socket client;
  private final Socket server;
  private final Set<ProxiedConnection> open;
  private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waysOpen = new AtomicInteger(2);
  private volatile boolean severed;

  ProxiedConnection(Socket client, Socket server, Set<ProxiedConnection> open) throws IOException {
    this.client = client;
    this.server = server;
    this.open = open;
    client.setTcpNoDelay(true);
    server.setTcpNoDelay(true);
  }

  void start(Wire requests, Wire replies) {
    open.add(this);
    pump(client, server, requests);
    pump(server, client, replies);
    threads.forEach(Thread::start);
  }

  /** Forwards nothing that is not being forwarded already. */
  void sever() {
    severed = true;
  }

  /** Ends the connection; what has been forwarded arrives. */
  void close() {
    for (Socket socket : new Socket[] {client, server}) {
      quietly(socket::shutdownOutput);
      quietly(socket::close);
    }
    end();
  }

  /** Ends the connection with a TCP reset on both sides. */
  void reset() {
    for (Socket socket : new Socket[] {client, server}) {
      quietly(() -> socket.setSoLinger(true, 0));
      quietly(socket::close);
    }
    end();
  }

  private void end() {
    open.remove(this);
    threads.forEach(Thread::interrupt);
  }

  private void pump(Socket from, Socket to, Wire wire) {
    BlockingQueue<Chunk> queue = new LinkedBlockingQueue<>(QUEUED_CHUNKS);
    Thread reader = daemon("read " + from, () -> closingOnFailure(() -> read(from, wire, queue)));
    Thread writer = daemon("write " + to, () -> closingOnFailure(() -> write(queue, wire, to)));
    // The writer is started first: a reader that fails at once must find it, to interrupt it.
    threads.add(writer);
    threads.add(reader);
  }

  private static void read(Socket from, Wire wire, BlockingQueue<Chunk> queue)
      throws IOException, InterruptedException {
    InputStream in = from.getInputStream();
    byte[] buffer = new byte[CHUNK_BYTES];
    int length;
    do {
      length = in.read(buffer);
      long due = System.nanoTime() + wire.latencyNanos();
      queue.put(new Chunk(Arrays.copyOf(buffer, Math.max(0, length)), due));
    } while (length >= 0);
  }

  private void write(BlockingQueue<Chunk> queue, Wire wire, Socket to)
      throws IOException, InterruptedException {
    Chunk chunk = queue.take();
    while (chunk.awaitDue().bytes.length > 0) {
      if (severed || !wire.forward(chunk.bytes, to.getOutputStream())) return;
      chunk = queue.take();
    }
    wire.awaitUnpaused();
    to.shutdownOutput();
    if (waysOpen.decrementAndGet() == 0) close();
  }

  private void closingOnFailure(Task task) {
    try {
      task.run();
    } catch (IOException | InterruptedException e) {
      close();
    }
  }

  private static void quietly(Task task) {
    try {
      task.run();
    } catch (IOException | InterruptedException e) {
      // Closed already, by the other side or another thread.
    }
  }

  static Thread daemon(String name, Runnable task) {
    Thread thread = new Thread(task, "proxy: " + name);
    thread.setDaemon(true);
    return thread;
  }

  private interface Task {
    void run() throws IOException, InterruptedException;
  }

  /** Bytes to be forwarded when they are due; none of them mean the end. */
  private static final class Chunk {
    private final byte[] bytes;
    private final long due;

    Chunk(byte[] bytes, long due) {
      this.bytes = bytes;
      this.due = due;
    }

    Chunk awaitDue() throws InterruptedException {
      // Not Thread.sleep, which knows only whole milliseconds here.
      for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
        LockSupport.parkNanos(left);
        if (Thread.interrupted()) throw new InterruptedException();
      }
      return this;
    }
  }
}
