package dev.stint.server.ordeal;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * What the machine itself did to threads and sockets: idle controls want to wake every millisecond,
 * and to hear an echo over loopback, and record when either came too late. A latency is only ours
 * {@linkplain #net net} of that.
 */
public final class Stalls implements AutoCloseable {

  private static final long NAP = 1_000_000;

  /** Much ends a little late on a machine that is well. */
  private static final long ORDINARY = 300_000;

  private static final int ECHOES = 2;

  private record Stall(long from, long to) {}

  private final List<List<Stall>> seen = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final ServerSocket echo;
  private List<Stall> merged = List.of();
  private volatile boolean over;

  private interface Control {
    void run(List<Stall> own) throws IOException;
  }

  private Stalls() throws IOException {
    echo = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
  }

  public static Stalls watch() throws IOException {
    Stalls stalls = new Stalls();
    for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
      stalls.start(stalls::idle);
    }
    for (int i = 0; i < ECHOES; i++) {
      stalls.start(own -> stalls.answer());
      stalls.start(stalls::call);
    }
    return stalls;
  }

  private void start(Control control) {
    List<Stall> own = new ArrayList<>();
    seen.add(own);
    Thread thread =
        new Thread(
            () -> {
              try {
                control.run(own);
              } catch (IOException e) {
                // the other end has gone first
              }
            },
            "control");
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
  }

  private void idle(List<Stall> own) {
    while (!over) {
      long due = System.nanoTime() + NAP;
      LockSupport.parkNanos(NAP);
      note(own, due);
    }
  }

  private void call(List<Stall> own) throws IOException {
    try (Socket socket = new Socket(echo.getInetAddress(), echo.getLocalPort())) {
      socket.setTcpNoDelay(true);
      while (!over) {
        LockSupport.parkNanos(NAP);
        long due = System.nanoTime();
        socket.getOutputStream().write(1);
        if (socket.getInputStream().read() < 0) {
          return;
        }
        note(own, due);
      }
    }
  }

  private void answer() throws IOException {
    try (Socket socket = echo.accept()) {
      socket.setTcpNoDelay(true);
      for (int c = socket.getInputStream().read(); c >= 0; c = socket.getInputStream().read()) {
        socket.getOutputStream().write(c);
      }
    }
  }

  private static void note(List<Stall> own, long due) {
    long now = System.nanoTime();
    if (now - due > ORDINARY) {
      own.add(new Stall(due, now));
    }
  }

  /** Ends the watch; what was seen can be asked for from then on. */
  @Override
  public void close() {
    over = true;
    try {
      for (Thread thread : threads) {
        thread.join();
      }
      echo.close();
    } catch (InterruptedException | IOException e) {
      throw new IllegalStateException("the controls must end", e);
    }
    merged = merge();
  }

  /** All times in which at least one control was held up. */
  private List<Stall> merge() {
    List<Stall> all = new ArrayList<>();
    seen.forEach(all::addAll);
    all.sort(Comparator.comparingLong(Stall::from));
    List<Stall> union = new ArrayList<>();
    for (Stall stall : all) {
      Stall last = union.isEmpty() ? null : union.get(union.size() - 1);
      if (last != null && stall.from <= last.to) {
        union.set(union.size() - 1, new Stall(last.from, Math.max(last.to, stall.to)));
      } else {
        union.add(stall);
      }
    }
    return union;
  }

  /** The time that so many percent did not exceed, net. */
  Duration percentile(double percent, List<Traffic.Sample> samples) {
    long[] sorted =
        samples.stream().mapToLong(one -> net(one.start(), one.end())).sorted().toArray();
    int at = (int) Math.ceil(sorted.length * percent / 100) - 1;
    return Duration.ofNanos(sorted.length == 0 ? 0 : sorted[at]);
  }

  /** How long something took that was not stalled by the machine. */
  public long net(long from, long to) {
    return Math.max(0, to - from - lost(from, to));
  }

  /** How much of this time at least one control was held up. */
  long lost(long from, long to) {
    long lost = 0;
    for (int i = firstEndingAfter(from); i < merged.size(); i++) {
      Stall stall = merged.get(i);
      if (stall.from > to) {
        break;
      }
      lost += Math.min(stall.to, to) - Math.max(stall.from, from);
    }
    return lost;
  }

  private int firstEndingAfter(long moment) {
    int low = 0;
    int high = merged.size();
    while (low < high) {
      int middle = (low + high) / 2;
      if (merged.get(middle).to <= moment) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The longest that was seen. */
  public long longest() {
    return merged.stream().mapToLong(stall -> stall.to - stall.from).max().orElse(0);
  }
}
