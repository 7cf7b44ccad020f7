package dev.stint.redis;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The calls that wait for one server, and how much is under way to it.
 *
 * <p>Calls of one thread wait in a lane of their own, and lanes take turns by size (start-time fair
 * queueing): a lane that has sent a call of 1,000 places is behind until every other lane that
 * waits has sent as many. So a burst, or a joint call over very many limits, delays the thread that
 * made it and hardly any other.
 *
 * <p>At most one call of more than {@value #LARGE} places is under way at a time, and it travels
 * alone. What is sent behind it waits for one such call and no more, and can be answered in time;
 * if it is not, the server is slow, and not merely busy with what we asked of it.
 *
 * <p>Nothing is allocated and nothing foreign is called while the lock is held.
 */
final class CallQueue {

  /** A call of more places than this is a large one; smaller ones share as many. */
  static final int LARGE = 128;

  private static final int LANES = 1024;

  private final PendingCall[] firsts = new PendingCall[LANES];
  private final PendingCall[] lasts = new PendingCall[LANES];
  private final int[] weights = new int[LANES];

  // How many places each lane has been sent, and how many it will have been with its next call. The
  // lane in which the latter is least comes next, so of two that were sent equally much the one
  // with
  // the smaller call. A lane in which nothing waits keeps up with the others: it saves nothing up.
  private final long[] starts = new long[LANES];
  private final long[] ends = new long[LANES];
  private long virtualTime;

  // The lanes in which calls wait: a heap, the lane whose turn it is at the top.
  private final int[] heap = new int[LANES];
  private final boolean[] inHeap = new boolean[LANES];
  private final int[] skipped = new int[LANES];
  private int size;

  private final int mostTogether;
  private final int mostUnderWay;
  private final AtomicInteger waiting = new AtomicInteger();
  private volatile int underWay;
  private boolean largeUnderWay;

  /**
   * A queue for one server.
   *
   * @param mostTogether how many calls may travel together
   * @param mostUnderWay how many batches may be under way at once
   */
  CallQueue(int mostTogether, int mostUnderWay) {
    this.mostTogether = mostTogether;
    this.mostUnderWay = mostUnderWay;
  }

  int mostTogether() {
    return mostTogether;
  }

  /** The lane of the calls that this thread makes. */
  @SuppressWarnings("deprecation") // threadId() came with Java 19
  static int lane() {
    return (int) Thread.currentThread().getId() & (LANES - 1);
  }

  /** Whether something waits and may be sent. Cheap, and only a hint. */
  boolean isReady() {
    return waiting.get() > 0 && underWay < mostUnderWay;
  }

  synchronized void add(PendingCall call) {
    int lane = call.lane;
    PendingCall before = lasts[lane];
    call.waits = true;
    call.previousInLane = before;
    if (before == null) {
      firsts[lane] = call;
    } else {
      before.nextInLane = call;
    }
    lasts[lane] = call;
    weights[lane] += call.weight();
    waiting.incrementAndGet();
    if (!inHeap[lane]) {
      starts[lane] = Math.max(starts[lane], virtualTime);
      ends[lane] = starts[lane] + call.question().size();
      push(lane);
    }
  }

  /** Takes a call out that has ended before its turn came. */
  void remove(PendingCall call) {
    if (call.waits) { // most have been sent, and need no lock
      boolean unused = withdraw(call);
    }
  }

  /** Takes a call out; returns whether it was still waiting, so that it will not be sent. */
  synchronized boolean withdraw(PendingCall call) {
    boolean waited = call.waits;
    if (waited) {
      unlink(call);
    }
    return waited;
  }

  /**
   * Takes the newest call out of the longest lane, to make room for another; null if no lane is
   * longer than that one's would be. A charge that is to be given back is never dropped.
   */
  synchronized @Nullable PendingCall evictFor(PendingCall call) {
    int longest = -1;
    for (int i = 0; i < size; i++) {
      if (longest < 0 || weights[heap[i]] > weights[longest]) {
        longest = heap[i];
      }
    }
    if (longest < 0 || weights[longest] <= weights[call.lane] + call.weight()) {
      return null;
    }
    PendingCall victim = lasts[longest];
    while (victim != null && victim.kind() == PendingCall.Kind.UNDO) {
      victim = victim.previousInLane;
    }
    if (victim != null) {
      unlink(victim);
    }
    return victim;
  }

  /** Moves the calls whose turn it is into a batch. Returns whether there is anything to send. */
  synchronized boolean fill(Batch batch) {
    if (underWay >= mostUnderWay) {
      return false;
    }
    int aside = 0;
    while (size > 0 && batch.size() < mostTogether && !batch.isLarge()) {
      int lane = heap[0];
      PendingCall call = firsts[lane];
      if (call == null) {
        pop();
      } else if (call.isDone()) {
        unlink(call);
      } else {
        int places = call.question().size();
        boolean large = places > LARGE;
        if (large && (largeUnderWay || batch.size() > 0)) {
          skipped[aside++] = pop(); // others may still go; this one's turn comes
        } else if (!large && batch.size() > 0 && batch.places() + places > LARGE) {
          break;
        } else {
          unlink(call);
          virtualTime = Math.max(virtualTime, starts[lane]);
          starts[lane] += places;
          PendingCall next = firsts[lane];
          ends[lane] = starts[lane] + (next == null ? 0 : next.question().size());
          sink(0);
          batch.add(call, large);
        }
      }
    }
    while (aside > 0) {
      push(skipped[--aside]);
    }
    if (batch.size() == 0) {
      return false;
    }
    batch.holdsSlot = true;
    underWay++;
    if (batch.isLarge()) {
      batch.holdsLarge = true;
      largeUnderWay = true;
    }
    return true;
  }

  /** The batch is given up: others may be sent, but no large one behind it. */
  synchronized void abandon(Batch batch) {
    if (batch.holdsSlot) {
      batch.holdsSlot = false;
      underWay--;
    }
  }

  /** The batch has ended. */
  synchronized void release(Batch batch) {
    abandon(batch);
    if (batch.holdsLarge) {
      batch.holdsLarge = false;
      largeUnderWay = false;
    }
  }

  private void unlink(PendingCall call) {
    int lane = call.lane;
    PendingCall before = call.previousInLane;
    PendingCall after = call.nextInLane;
    if (before == null) {
      firsts[lane] = after;
    } else {
      before.nextInLane = after;
    }
    if (after == null) {
      lasts[lane] = before;
    } else {
      after.previousInLane = before;
    }
    call.waits = false;
    call.previousInLane = null;
    call.nextInLane = null;
    weights[lane] -= call.weight();
    waiting.decrementAndGet();
  }

  // The heap. A lane that has become empty stays until it comes to the top.

  private boolean isBefore(int lane, int other) {
    return ends[lane] < ends[other];
  }

  private void push(int lane) {
    inHeap[lane] = true;
    int at = size++;
    while (at > 0 && isBefore(lane, heap[(at - 1) / 2])) {
      heap[at] = heap[(at - 1) / 2];
      at = (at - 1) / 2;
    }
    heap[at] = lane;
  }

  private int pop() {
    int top = heap[0];
    inHeap[top] = false;
    size--;
    if (size > 0) {
      heap[0] = heap[size];
      sink(0);
    }
    return top;
  }

  private void sink(int from) {
    int at = from;
    int lane = heap[at];
    for (int child = 2 * at + 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && isBefore(heap[child + 1], heap[child])) {
        child++;
      }
      if (!isBefore(heap[child], lane)) {
        break;
      }
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = lane;
  }
}
