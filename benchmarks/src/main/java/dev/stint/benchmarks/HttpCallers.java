package dev.stint.benchmarks;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * A few connections that each send a request, read the answer and send the next. Every request has
 * one of so many keys.
 */
final class HttpCallers {

  private static final long MOST_NANOS = 60_000_000_000L;

  /** What came of a round. */
  record Tally(long requests, double perSecond, double p99Micros) {}

  private HttpCallers() {}

  static Tally ask(int port, int connections, int keys, long millis)
      throws IOException, InterruptedException {
    List<Caller> callers = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      callers.add(new Caller(port, keys));
    }
    long begin = System.nanoTime();
    long end = begin + millis * 1_000_000;
    for (Caller caller : callers) {
      caller.end = end;
      caller.start();
    }
    Histogram all = new Histogram(MOST_NANOS, 3);
    for (Caller caller : callers) {
      caller.join();
      if (caller.failure != null) {
        throw new IOException("a server of the benchmark must answer", caller.failure);
      }
      all.add(caller.latencies);
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    return new Tally(
        all.getTotalCount(), all.getTotalCount() / seconds, all.getValueAtPercentile(99) / 1e3);
  }

  private static final class Caller extends Thread {

    private final Socket socket;
    private final int keys;
    private final Histogram latencies = new Histogram(MOST_NANOS, 3);
    private volatile long end;
    private volatile @Nullable Exception failure;

    Caller(int port, int keys) throws IOException {
      this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
      this.socket.setTcpNoDelay(true);
      this.keys = keys;
    }

    @Override
    public void run() {
      try (socket) {
        InputStream in = new BufferedInputStream(socket.getInputStream());
        OutputStream out = socket.getOutputStream();
        long now = System.nanoTime();
        while (now < end) {
          out.write(request());
          readAnswer(in);
          long then = System.nanoTime();
          latencies.recordValue(Math.min(then - now, MOST_NANOS));
          now = then;
        }
      } catch (IOException | RuntimeException e) {
        failure = e;
      }
    }

    private byte[] request() {
      int key = ThreadLocalRandom.current().nextInt(keys);
      String text =
          "GET /hello HTTP/1.1\r\nHost: localhost\r\nUser-Agent: bench\r\nAccept: */*\r\n"
              + HttpContestant.KEY_HEADER
              + ": user-"
              + key
              + "\r\n\r\n";
      return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Reads up to the end of the head, then the five letters of the body. */
    private static void readAnswer(InputStream in) throws IOException {
      int matched = 0;
      int first = 0;
      for (int n = 0; matched < 4; n++) {
        int c = in.read();
        if (c < 0) {
          throw new IOException("the server must answer whole: it closed the connection");
        }
        if (n == 9) {
          first = c;
        }
        boolean next = c == (matched % 2 == 0 ? '\r' : '\n');
        matched = next ? matched + 1 : c == '\r' ? 1 : 0;
      }
      if (first != '2') {
        throw new IOException("every request must pass: status " + (char) first + "xx");
      }
      in.skipNBytes(5);
    }
  }
}
