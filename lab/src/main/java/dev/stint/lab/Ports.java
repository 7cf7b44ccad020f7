package dev.stint.lab;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free loopback ports below the range that systems give to outgoing connections (32768 and up). A
 * server that is down would otherwise lose its port to a client, even to the very client that tries
 * to reach it: on loopback, TCP connects a socket with itself.
 */
final class Ports {
  private static final int LOWEST = 12_000;
  private static final int BEYOND = 32_000;
  private static final int ATTEMPTS = 200;

  private Ports() {}

  static int free() {
    try (ServerSocket socket = listen()) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  static ServerSocket listen() {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      try {
        return listen(ThreadLocalRandom.current().nextInt(LOWEST, BEYOND));
      } catch (IOException taken) {
        // Another one will be free.
      }
    }
    throw new IllegalStateException(
        "one of the loopback ports " + LOWEST + " to " + BEYOND + " must be free: none found");
  }

  static ServerSocket listen(int port) throws IOException {
    ServerSocket socket = new ServerSocket();
    try {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 512);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }
}
