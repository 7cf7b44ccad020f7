package dev.stint.server.net;

import io.netty.channel.Channel;
import io.netty.util.Attribute;
import io.netty.util.AttributeKey;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What one connection makes the process hold, and when it last made progress.
 *
 * <p>It belongs to the connection's event loop; only {@link #evict} and what a scan for connections
 * to close reads are for other threads. The pools that all connections share are touched in steps
 * of some kilobytes, not for every request.
 *
 * <p>Progress is a request that was answered and whose answer the socket has taken. Bytes that
 * dribble in are none.
 */
public final class ConnectionBudget implements Holder {

  private static final AttributeKey<ConnectionBudget> KEY =
      AttributeKey.valueOf(ConnectionBudget.class, "budget");

  private static final long STEP = 8 << 10;
  private static final long NONE = Long.MAX_VALUE;
  private static final int UNBOUNDED_HEADERS = 1 << 20;

  private final ByteBudget budget;
  private final @Nullable Connections listener;
  private final Object peer;
  private final Runnable closer;
  private final long least;

  // Read by scans on other threads; changed with the lock held.
  private volatile long heap;
  private volatile long direct;
  private volatile boolean leaving;
  private boolean gone;
  private long leavingHeap;
  private long leavingDirect;
  private @Nullable RejectionCause evictionCause;
  private boolean isRejected;

  private volatile long progress;

  /** Written for every request, so without the fence of a volatile field; scans may be late. */
  private final AtomicLong oldest = new AtomicLong(NONE);

  private volatile boolean proven;

  /** Whether it has made progress since it was chosen to be closed. */
  private volatile boolean spared;

  // Only for the event loop.
  private final Head head;
  private long held;
  private boolean answered;
  private boolean cutShort;
  private @Nullable Http2Guard streams;
  private @Nullable Request last;

  ConnectionBudget(
      ByteBudget budget, @Nullable Connections listener, long least, Object peer, Runnable closer) {
    this.budget = budget;
    this.listener = listener;
    this.peer = peer;
    this.closer = closer;
    this.least = least;
    this.heap = least;
    this.held = least;
    this.progress = budget.now();
    this.head = new Head(this, listener == null ? UNBOUNDED_HEADERS : listener.headers());
  }

  // ---- finding it ----

  /** The budget of a connection; one without bounds if no listener of ours accepted it. */
  public static ConnectionBudget of(Channel channel) {
    Attribute<ConnectionBudget> attribute = channel.attr(KEY);
    ConnectionBudget found = attribute.get();
    if (found == null) {
      found = new ConnectionBudget(ByteBudget.unbounded(), null, 0, channel, () -> {});
      attribute.set(found);
    }
    return found;
  }

  void attachTo(Channel channel) {
    channel.attr(KEY).set(this);
  }

  Head head() {
    return head;
  }

  /** Its protocol counts by itself what is not complete. */
  public void countsItself() {
    head.isOtherProtocol();
  }

  /** The streams of an HTTP/2 connection; null if it is none. */
  @Nullable Http2Guard streams() {
    return streams;
  }

  void streams(Http2Guard guard) {
    streams = guard;
  }

  /** A request is refused whose rest was not read. */
  void cutShort() {
    cutShort = true;
  }

  boolean isCutShort() {
    return cutShort;
  }

  // ---- holding ----

  /**
   * Counts more bytes of heap that are held for this connection.
   *
   * @return false if it has its share, or there is no room; then nothing is counted
   */
  @Override
  public boolean hold(long bytes) {
    long more = held + bytes;
    if (more > heap && !grow(more)) {
      return false;
    }
    held = more;
    return true;
  }

  private boolean grow(long needed) {
    long step = Math.min(needed + STEP, budget.share()) - heap;
    boolean small = heap + step - least <= ByteBudget.SMALL;
    if (needed > budget.share() || (leaving && !small)) {
      return false;
    }
    if (!budget.reserveHeap(step, small, proven)) {
      return false;
    }
    synchronized (this) {
      if (gone) {
        budget.heapPool().add(-step);
        return false;
      }
      heap += step;
      return true;
    }
  }

  @Override
  public void release(long bytes) {
    held -= bytes;
    if (heap - held > 4 * STEP) {
      shrink(Math.max(held + STEP, least));
    }
  }

  private synchronized void shrink(long target) {
    if (!gone && target < heap) {
      budget.heapPool().add(target - heap);
      heap = target;
    }
  }

  /** Bytes of heap it holds now. */
  public long held() {
    return held;
  }

  /** Bytes of answers that wait in direct memory until the socket takes them. */
  void unsent(long bytes) {
    long target = bytes < STEP ? 0 : bytes;
    if (target != direct && (target == 0 || Math.abs(target - direct) >= STEP)) {
      long change;
      synchronized (this) {
        if (gone) {
          return;
        }
        change = target - direct;
        direct = target;
      }
      budget.force(budget.directPool(), change);
    }
  }

  // ---- progress ----

  /** An answer is written; once the socket has taken it, the connection has made progress. */
  public void answered() {
    answered = true;
  }

  /** The socket has taken all that was written before. */
  void taken() {
    if (answered) {
      answered = false;
      progressed();
    }
  }

  /** Whether a request of it was answered. May be asked by any thread. */
  boolean isProven() {
    return proven;
  }

  private void progressed() {
    long now = budget.now();
    if (progress != now) {
      progress = now;
    }
    if (!proven) {
      proven = true;
    }
    if (leaving) {
      spared = true;
    }
  }

  /** A request has come on a connection that waited for none to be answered. */
  void requested() {
    if (proven) {
      progressed();
    }
  }

  /**
   * A request among several at once begins, which counts as not answered until it is {@linkplain
   * Request#close closed}; null if there is no room for it.
   */
  public @Nullable Request begin(long bytes) {
    if (!hold(bytes)) {
      return null;
    }
    Request request = new Request(bytes);
    request.previous = last;
    if (last == null) {
      oldest.setRelease(request.began);
    } else {
      last.next = request;
    }
    last = request;
    return request;
  }

  /** One request of several at once, with what it makes the process hold. */
  public final class Request implements Holder {

    private final long began = budget.now();
    private long bytes;
    private boolean waits = true;
    private boolean over;
    private @Nullable Request previous;
    private @Nullable Request next;

    private Request(long bytes) {
      this.bytes = bytes;
    }

    @Override
    public boolean hold(long more) {
      if (over || !ConnectionBudget.this.hold(more)) {
        return false;
      }
      bytes += more;
      return true;
    }

    @Override
    public void release(long less) {
      if (!over) {
        bytes -= less;
        ConnectionBudget.this.release(less);
      }
    }

    /** It stays open without anything to wait for, as a subscription does. */
    public void settle() {
      if (waits) {
        waits = false;
        unlink(this);
      }
    }

    /**
     * It is over.
     *
     * @param answered whether the client has taken an answer
     */
    public void close(boolean answered) {
      if (!over) {
        over = true;
        settle();
        ConnectionBudget.this.release(bytes);
        if (answered) {
          progressed();
        }
      }
    }
  }

  private void unlink(Request request) {
    Request before = request.previous;
    Request after = request.next;
    if (before == null) {
      oldest.setRelease(after == null ? NONE : after.began);
    } else {
      before.next = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.previous = before;
    }
    request.previous = null;
    request.next = null;
  }

  // ---- for scans, on any thread ----

  @Nullable Connections listener() {
    return listener;
  }

  Object peer() {
    return peer;
  }

  long heap() {
    return heap;
  }

  long direct() {
    return direct;
  }

  boolean isLeaving() {
    return leaving;
  }

  /**
   * How long it has been without progress: since its oldest request that is not answered began, or
   * since its last answer was taken. The time of a connection that was never answered counts
   * several times, and that of an idle one a part.
   */
  long stalledFor(long now) {
    long millis = now - Math.min(progress, oldest.get());
    if (!proven) {
      return ByteBudget.WEIGHT * millis;
    }
    return isIdle() ? millis / ByteBudget.WEIGHT : millis;
  }

  /**
   * Whether it has made no progress for so long that it is closed for it. The socket may have taken
   * the last answer a moment before that was noticed.
   */
  boolean isOverdue(long noticedWithin) {
    budget.advanceClock();
    return listener != null
        && budget.now() - progress >= listener.idle().toMillis() - noticedWithin;
  }

  private boolean isIdle() {
    return isSmall() && oldest.get() == NONE;
  }

  /** Whether it holds no more than an ordinary client needs. */
  boolean isSmall() {
    return heap - least <= ByteBudget.SMALL && direct == 0;
  }

  /** Has it closed, because it was chosen to make room. */
  void evict(RejectionCause cause) {
    synchronized (this) {
      if (gone || leaving) {
        return;
      }
      spared = false;
      leaving = true;
      leavingHeap = heap;
      leavingDirect = direct;
      countLeaving(1);
      evictionCause = cause;
    }
    closer.run();
  }

  /**
   * Whether it is really to be closed; asked once by its event loop, after the loop has read what
   * had come. If not, it stays.
   */
  boolean mustLeave() {
    RejectionCause cause;
    synchronized (this) {
      if (gone || !leaving) {
        return false;
      }
      if (spared) {
        leaving = false;
        countLeaving(-1);
        return false;
      }
      cause = evictionCause;
    }
    if (cause != null) {
      rejected(cause);
    }
    return true;
  }

  /** Counts why the service closes it, once: the first cause is the one that matters. */
  public void rejected(RejectionCause cause) {
    synchronized (this) {
      if (isRejected) {
        return;
      }
      isRejected = true;
    }
    if (listener != null) {
      listener.counters().rejected(cause);
    }
  }

  private void countLeaving(int sign) {
    budget.heapPool().leaves(sign * leavingHeap);
    budget.directPool().leaves(sign * leavingDirect);
    if (listener != null) {
      listener.pool().leaves(sign);
    }
  }

  /** It is gone, and holds nothing any more. */
  void close() {
    synchronized (this) {
      if (gone) {
        return;
      }
      gone = true;
      budget.heapPool().add(-heap);
      budget.directPool().add(-direct);
      heap = 0;
      direct = 0;
      if (listener != null) {
        listener.pool().add(-1);
      }
      if (leaving) {
        countLeaving(-1);
      }
    }
    budget.remove(this);
  }
}
