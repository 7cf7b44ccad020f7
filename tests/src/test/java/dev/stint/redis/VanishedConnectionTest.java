package dev.stint.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.lab.RedisServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A connection of which nothing arrives any more, while new ones would work, is given up. */
@Tag("redis")
@ExtendWith(QuietLettuce.class)
class VanishedConnectionTest {

  @Test
  void a_firewall_forgets_the_connection() {
    try (RedisServer server = RedisServer.start();
        Firewall firewall = new Firewall(server.port());
        RedisStore store = RedisStore.connect("redis://127.0.0.1:" + firewall.port())) {
      RateLimiter limiter = RateLimiter.of(store, Limit.parse("1000000/day"));
      Eventually.within(
          Duration.ofSeconds(10), "an exact decision", () -> !limiter.hit("k").degraded());
      firewall.forget();
      assertThat(limiter.hit("k").degraded()).isTrue();
      Duration took =
          Eventually.within(
              Duration.ofSeconds(20), "an exact decision", () -> !limiter.hit("k").degraded());
      System.out.printf("a vanished connection was replaced after %d ms%n", took.toMillis());
    }
  }

  /** Forwards bytes until it is told to forget the connections there are. */
  private static final class Firewall implements AutoCloseable {

    private final ServerSocket listener;
    private final int target;
    private final Queue<AtomicBoolean> known = new ConcurrentLinkedQueue<>();
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();

    Firewall(int target) {
      this.target = target;
      try {
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      daemon(this::accept);
    }

    int port() {
      return listener.getLocalPort();
    }

    /** Lets nothing pass any more on the connections there are, and tells nobody. */
    void forget() {
      known.forEach(it -> it.set(false));
    }

    private void accept() {
      try {
        for (; ; ) {
          Socket client = listener.accept();
          Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
          sockets.add(client);
          sockets.add(server);
          AtomicBoolean alive = new AtomicBoolean(true);
          known.add(alive);
          daemon(() -> pump(client, server, alive));
          daemon(() -> pump(server, client, alive));
        }
      } catch (IOException e) {
        // Closed.
      }
    }

    private static void pump(Socket from, Socket to, AtomicBoolean alive) {
      byte[] buffer = new byte[65_536];
      try {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
          if (alive.get()) {
            out.write(buffer, 0, length);
          }
        }
      } catch (IOException e) {
        // One of them is gone.
      }
    }

    private static void daemon(Runnable task) {
      Thread thread = new Thread(task, "firewall");
      thread.setDaemon(true);
      thread.start();
    }

    @Override
    public void close() {
      try {
        listener.close();
        for (Socket socket : sockets) {
          socket.close();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
