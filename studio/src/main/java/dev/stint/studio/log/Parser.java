package dev.stint.studio.log;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Reads lines into batches, on a thread of its own, a few batches ahead of whoever takes them.
 *
 * <p>Batches go round between two queues, so that nothing is made for a line.
 */
final class Parser implements Runnable {

  private static final int AHEAD = 8;
  private static final int SHOWN_LINES = 3;
  private static final int SHOWN = 120;
  private static final long PATIENCE_SECONDS = 2;

  private final Lines lines;
  private final LineFormat format;
  private final Entry entry;
  private final Clients clients;
  private final Reorder order;
  private final boolean anonymize;
  private final BlockingQueue<Batch> free = new ArrayBlockingQueue<>(AHEAD);
  private final BlockingQueue<Batch> filled = new ArrayBlockingQueue<>(AHEAD);
  private final Thread thread = new Thread(this, "reads the log");
  private volatile boolean stopped;

  /** Held by the thread all the time but while it waits for bytes. */
  private final ReentrantLock working = new ReentrantLock();

  private boolean abandoned; // guarded by it

  private Batch batch = new Batch();
  private long read;
  private long bad;
  private long late;
  private long unnamed;

  Parser(
      InputStream stream, LineFormat format, Wanted wanted, Clients clients, LogOptions options) {
    this.lines = new Lines(new Waiting(stream));
    this.format = format;
    this.entry = new Entry(wanted.by().size());
    this.clients = clients;
    this.order = new Reorder(options.reorder());
    this.anonymize = options.anonymize();
    for (int i = 1; i < AHEAD; i++) {
      free.add(new Batch());
    }
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** The next batch; null if it is not there yet after a moment. */
  @Nullable Batch next() throws InterruptedException {
    return filled.poll(100, TimeUnit.MILLISECONDS);
  }

  /** A batch may be filled again. */
  void giveBack(Batch used) {
    used.clear();
    free.add(used);
  }

  /**
   * Takes over what the thread has read so far, if it waits for more just now: then what it has may
   * be all for hours, of a log that is followed. If it does not wait, more comes at any moment, and
   * this is false.
   */
  boolean abandon() {
    if (!working.tryLock()) {
      return false;
    }
    try {
      abandoned = true;
      return true;
    } finally {
      working.unlock();
    }
  }

  /** The next batch of what was {@linkplain #abandon taken over}, until one is the last. */
  Batch rest() {
    Batch ahead = filled.poll();
    if (ahead != null) {
      return ahead;
    }
    Batch own = batch;
    while (!order.isEmpty() && !own.isFull()) {
      order.leave(own);
    }
    own.lines = read;
    own.bad = bad;
    own.late = late;
    own.unnamed = unnamed;
    own.isLast = order.isEmpty();
    if (!own.isLast) {
      batch = new Batch();
    }
    return own;
  }

  /** Ends; false if it hangs in a read that does not return. */
  boolean stop() {
    stopped = true;
    thread.interrupt();
    if (abandoned) {
      return false; // it hangs, or nearly always
    }
    try {
      thread.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return !thread.isAlive();
  }

  @Override
  public void run() {
    working.lock();
    try {
      work();
    } finally {
      working.unlock();
    }
  }

  private void work() {
    try {
      readAll();
    } catch (IOException | RuntimeException e) {
      if (abandoned) {
        return;
      }
      batch.failure = e;
    } catch (InterruptedException e) {
      return; // nobody waits for the rest
    }
    batch.isLast = true;
    try {
      handOver();
    } catch (InterruptedException e) {
      // Nobody waits for it.
    }
  }

  private void readAll() throws IOException, InterruptedException {
    while (!stopped && lines.next()) {
      read++;
      take();
      while (order.isDue()) {
        leave();
      }
    }
    while (!stopped && !order.isEmpty()) {
      leave();
    }
  }

  private void take() {
    int from = lines.from();
    int to = lines.to();
    if (lines.isTooLong()) {
      complain("longer than 64 KiB");
      return;
    }
    if (from == to) {
      return;
    }
    entry.begin();
    String reason = format.read(lines.bytes(), from, to, entry);
    if (reason != null) {
      complain(reason);
    } else if (entry.keyTo() - entry.keyFrom() > Clients.LONGEST) {
      complain("a client's name of more than 32 KiB");
    } else if (order.isLate(entry.micros)) {
      // Who has only such lines is nobody: a number would make a client without requests.
      late++;
    } else {
      int client = clients.numberOf(entry.key(), entry.keyFrom(), entry.keyTo());
      boolean unused = order.add(entry.micros, client, entry.cost);
      boolean dash = entry.keyTo() - entry.keyFrom() == 1 && entry.key()[entry.keyFrom()] == '-';
      unnamed += dash ? 1 : 0;
    }
  }

  private void complain(String reason) {
    if (reason.equals(LineFormat.NO_REQUEST)) {
      return;
    }
    if (bad++ < SHOWN_LINES) {
      byte[] line = lines.bytes();
      int length = Math.min(lines.to() - lines.from(), 4 * SHOWN);
      String text = new String(line, lines.from(), length, StandardCharsets.UTF_8);
      batch.complaints.add(
          "line %,d is left out: %s%s"
              .formatted(
                  read, reason, anonymize || length == 0 ? "" : ": " + Clients.shown(text, SHOWN)));
    }
  }

  private void leave() throws InterruptedException {
    order.leave(batch);
    if (batch.isFull()) {
      handOver();
      batch = free.take();
    }
  }

  private void handOver() throws InterruptedException {
    batch.lines = read;
    batch.bad = bad;
    batch.late = late;
    batch.unnamed = unnamed;
    filled.put(batch);
  }

  /** Lets go of the work while bytes are awaited. */
  private final class Waiting extends FilterInputStream {

    Waiting(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] b, int off, int len) throws IOException {
      int read;
      working.unlock();
      try {
        read = super.read(b, off, len);
      } finally {
        working.lock();
      }
      if (abandoned) {
        throw new InterruptedIOException("somebody else has taken over");
      }
      return read;
    }
  }
}
