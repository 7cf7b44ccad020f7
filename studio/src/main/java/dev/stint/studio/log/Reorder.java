package dev.stint.studio.log;

import java.util.Arrays;

/**
 * Puts requests in order of time that are out of order by a bounded span.
 *
 * <p>A request is held until one has come that is a whole span later. Those that come in order, as
 * nearly all do, stand in a queue; the others in a heap; what leaves is the earlier of both heads.
 * Of requests of one moment the one whose line came first leaves first.
 *
 * <p>No more than {@value #MOST} are held: in traffic so dense that a span has more, requests leave
 * earlier than that.
 */
final class Reorder {

  /** How many requests are held at most. */
  static final int MOST = 1 << 16;

  private static final int MASK = MOST - 1;

  private final long span;
  private long latest = Long.MIN_VALUE;
  private long left = Long.MIN_VALUE;

  // A ring of those in order.
  private final long[] micros = new long[MOST];
  private final int[] keys = new int[MOST];
  private final long[] costs = new long[MOST];
  private int head;
  private int queued;

  // A heap of the others: by moment, then by number.
  private long[] heapMicros = new long[16];
  private long[] heapNumbers = new long[16];
  private int[] heapKeys = new int[16];
  private long[] heapCosts = new long[16];
  private int heaped;
  private long number;

  /** An order that waits so many microseconds. */
  Reorder(long span) {
    this.span = span;
  }

  /** Whether a request of this moment would come too late. */
  boolean isLate(long moment) {
    return moment < left || (latest != Long.MIN_VALUE && moment < latest - span);
  }

  /** Takes a request; false if it comes too late. */
  boolean add(long moment, int key, long cost) {
    if (isLate(moment)) {
      return false;
    }
    // Equal moments: the queue's go first, as they came first unless one is in the heap already,
    // and then the tail of the queue is later than this one.
    if (moment >= latest) {
      int tail = (head + queued++) & MASK;
      micros[tail] = moment;
      keys[tail] = key;
      costs[tail] = cost;
      latest = moment;
    } else {
      push(moment, key, cost);
    }
    return true;
  }

  /** Whether a request must leave before the next is added. */
  boolean isDue() {
    int held = queued + heaped;
    return held > 0 && (held >= MOST || first() < latest - span);
  }

  boolean isEmpty() {
    return queued + heaped == 0;
  }

  private long first() {
    return isHeapFirst() ? heapMicros[0] : micros[head];
  }

  private boolean isHeapFirst() {
    return queued == 0 || (heaped > 0 && heapMicros[0] < micros[head]);
  }

  /** Lets the first request leave, into a batch. */
  void leave(Batch batch) {
    if (isHeapFirst()) {
      left = heapMicros[0];
      batch.add(left, heapKeys[0], heapCosts[0]);
      pop();
    } else {
      left = micros[head];
      batch.add(left, keys[head], costs[head]);
      head = (head + 1) & MASK;
      queued--;
    }
  }

  private void push(long moment, int key, long cost) {
    if (heaped == heapMicros.length) {
      heapMicros = Arrays.copyOf(heapMicros, heaped * 2);
      heapNumbers = Arrays.copyOf(heapNumbers, heaped * 2);
      heapKeys = Arrays.copyOf(heapKeys, heaped * 2);
      heapCosts = Arrays.copyOf(heapCosts, heaped * 2);
    }
    int at = heaped++;
    heapMicros[at] = moment;
    heapNumbers[at] = number++;
    heapKeys[at] = key;
    heapCosts[at] = cost;
    while (at > 0 && isBefore(at, (at - 1) / 2)) {
      swap(at, (at - 1) / 2);
      at = (at - 1) / 2;
    }
  }

  private void pop() {
    swap(0, --heaped);
    int at = 0;
    for (; ; ) {
      int least = at;
      for (int child = 2 * at + 1; child <= 2 * at + 2 && child < heaped; child++) {
        least = isBefore(child, least) ? child : least;
      }
      if (least == at) {
        return;
      }
      swap(at, least);
      at = least;
    }
  }

  private boolean isBefore(int a, int b) {
    return heapMicros[a] < heapMicros[b]
        || (heapMicros[a] == heapMicros[b] && heapNumbers[a] < heapNumbers[b]);
  }

  private void swap(int a, int b) {
    long moment = heapMicros[a];
    heapMicros[a] = heapMicros[b];
    heapMicros[b] = moment;
    long numbered = heapNumbers[a];
    heapNumbers[a] = heapNumbers[b];
    heapNumbers[b] = numbered;
    int key = heapKeys[a];
    heapKeys[a] = heapKeys[b];
    heapKeys[b] = key;
    long cost = heapCosts[a];
    heapCosts[a] = heapCosts[b];
    heapCosts[b] = cost;
  }
}
