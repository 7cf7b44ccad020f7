package dev.stint.memory;

import dev.stint.Fingerprint;
import dev.stint.Limit;
import dev.stint.algorithm.Algorithm;
import dev.stint.algorithm.Bucket;
import dev.stint.algorithm.FixedWindow;
import dev.stint.algorithm.Operation;
import dev.stint.algorithm.Quota;
import dev.stint.algorithm.SlidingCounter;
import org.jspecify.annotations.Nullable;

/**
 * An operation on one limit: the fast path of nearly every hit.
 *
 * <p>A hit or a peek on a narrow state is read, decide, try: one compare-and-set, and for a denial
 * no write at all. Everything else goes to {@link Joint}.
 */
final class Single {

  private final Packing packing;
  private final Partitions partitions;

  /** Known beforehand, because finding them anew takes a twentieth of the time of a hit. */
  private final @Nullable Table onlyRows;

  private final Joint joint;
  private final Seats seats;

  Single(Packing packing, Partitions partitions, Joint joint, Seats seats) {
    this.packing = packing;
    this.partitions = partitions;
    this.onlyRows = partitions.onlyRows();
    this.joint = joint;
    this.seats = seats;
  }

  /**
   * Runs an operation, and answers in one number: what {@link Packing#decide} does, or else which
   * {@linkplain Seats seat} has the answer, to be given back.
   *
   * <p>This is one long method on purpose: longer than what the compiler inlines. So its callers
   * stay short and are inlined themselves, and as it takes the key in parts and returns a number,
   * neither a key nor a decision that is only read ever becomes an object on the heap. It
   * dispatches on the algorithm once: below that every call is on a final class, the five functions
   * are inlined, and the state stays in registers.
   */
  long run(
      Operation operation,
      Limit limit,
      @Nullable Object value,
      long number,
      long amount,
      long now,
      long micros) {
    Fingerprint fingerprint = new Fingerprint();
    if (value instanceof String text) {
      fingerprint.feed(text);
    } else if (value instanceof byte[] bytes) {
      fingerprint.feed(bytes);
    } else {
      fingerprint.feed(number);
    }
    long high = Table.high(limit, fingerprint);
    long low = Table.low(limit, fingerprint);
    if (operation.asks()) {
      boolean take = operation == Operation.HIT;
      Table rows = onlyRows != null ? onlyRows : partitions.of(limit).rows();
      Algorithm algorithm = limit.algorithm();
      long n = Math.min(amount, Algorithm.MAX_COUNT);
      for (; ; ) {
        long[] words = rows.words(low);
        int row = Segment.find(words, high, low);
        long word = row < 0 ? Packing.ABSENT : Segment.first(words, row);
        if (!Packing.isNarrow(word)) {
          break;
        }
        long answer;
        if (algorithm instanceof Bucket bucket) {
          answer = packing.decide(word, bucket, now, n, take);
        } else if (algorithm instanceof FixedWindow window) {
          answer = packing.decide(word, window, now, n, take);
        } else if (algorithm instanceof SlidingCounter counter) {
          answer = packing.decide(word, counter, now, n, take);
        } else if (algorithm instanceof Quota quota) {
          answer = packing.decide(word, quota, now, n, take);
        } else {
          break;
        }
        long next = Packing.stateOf(answer);
        if (next == Packing.ABSENT) {
          break;
        }
        if (next == word || Segment.swap(words, row, word, next)) {
          return answer;
        }
      }
    }
    int place = seats.take();
    boolean done = false;
    try {
      Seat seat = seats.get(place);
      seat.ask(limit, partitions.of(limit), amount, now, high, low);
      joint.run(operation, micros, seat.alone);
      done = true;
    } finally {
      if (!done) {
        seats.giveBack(place);
      }
    }
    return Packing.seat(place);
  }
}
