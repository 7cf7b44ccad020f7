package dev.stint.lab;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The end of all connections after so many bytes, once. Forwarding goes one connection at a time
 * while a cut is due, so that every counted byte is written before the end.
 */
final class Cut {
  private final Runnable sever;
  private final Runnable end;
  private long left;
  private volatile boolean due;
  private volatile boolean done;

  /**
   * @param sever keeps the other direction from forwarding more: the answer to the last byte would
   *     be faster than the end
   */
  Cut(long bytes, Runnable sever, Runnable end) {
    if (bytes < 0) throw new IllegalArgumentException("bytes must be at least 0: " + bytes);
    this.left = bytes;
    this.sever = sever;
    this.end = end;
    this.due = true;
  }

  /** A cut that never comes. */
  static Cut none() {
    Cut none = new Cut(0, () -> {}, () -> {});
    none.due = false;
    return none;
  }

  boolean isDue() {
    return due;
  }

  boolean isDone() {
    return done;
  }

  /** Writes and counts what may still pass, and tells whether that was all. */
  synchronized boolean write(
      OutputStream out, byte[] bytes, int from, int length, AtomicLong counter) throws IOException {
    int passing = due ? (int) Math.min(length, left) : length;
    boolean last = due && passing == left;
    if (last) sever.run();
    if (passing > 0) out.write(bytes, from, passing);
    counter.addAndGet(passing);
    left -= passing;
    if (last) {
      due = false;
      end.run();
      done = true;
    }
    return passing == length;
  }
}
