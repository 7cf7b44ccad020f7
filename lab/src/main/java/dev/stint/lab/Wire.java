package dev.stint.lab;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** One direction of a proxy: what happens to all bytes that go that way, on any connection. */
final class Wire {
  private static final long SLICE_PAUSE_NANOS = 200_000;

  private final AtomicLong bytes = new AtomicLong();
  private volatile long latencyNanos;
  private volatile int slice;
  private volatile boolean swallow;
  private volatile Cut cut = Cut.none();
  private boolean paused;

  void latency(Duration latency) {
    if (latency.isNegative()) {
      throw new IllegalArgumentException("latency must not be negative: " + latency);
    }
    latencyNanos = latency.toNanos();
  }

  long latencyNanos() {
    return latencyNanos;
  }

  void slice(int bytes) {
    if (bytes < 0) throw new IllegalArgumentException("bytes must be at least 0: " + bytes);
    slice = bytes;
  }

  void swallow(boolean swallow) {
    this.swallow = swallow;
  }

  void cut(Cut cut) {
    this.cut = cut;
  }

  synchronized void pause(boolean pause) {
    paused = pause;
    notifyAll();
  }

  synchronized void awaitUnpaused() throws InterruptedException {
    while (paused) wait();
  }

  long bytes() {
    return bytes.get();
  }

  /** Sends a chunk on its way, as the settings want it, and tells whether more may follow. */
  boolean forward(byte[] chunk, OutputStream out) throws IOException, InterruptedException {
    int from = 0;
    while (from < chunk.length) {
      awaitUnpaused();
      if (swallow) return true;
      int most = slice == 0 ? chunk.length : slice;
      int length = Math.min(most, chunk.length - from);
      if (!write(out, chunk, from, length)) return false;
      from += length;
      // Without a moment between them, the system joins the slices before they are read.
      if (from < chunk.length) LockSupport.parkNanos(SLICE_PAUSE_NANOS);
    }
    return true;
  }

  private boolean write(OutputStream out, byte[] chunk, int from, int length) throws IOException {
    Cut current = cut;
    if (current.isDue()) return current.write(out, chunk, from, length, bytes);
    out.write(chunk, from, length);
    bytes.addAndGet(length);
    return true;
  }
}
