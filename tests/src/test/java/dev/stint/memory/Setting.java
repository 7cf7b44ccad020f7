package dev.stint.memory;

import dev.stint.Fingerprint;
import dev.stint.Key;
import dev.stint.Limit;
import java.util.List;
import java.util.stream.LongStream;

/**
 * What a {@link Scene} starts from: a limit and keys on it that are neighbours in one segment of
 * the store's table, so that what happens to one of them has a chance to hurt another.
 *
 * @param keys the first two are asked about, the others only take room
 * @param unit the costs of a scene are multiples of this
 * @param owed units charged to the first key before the scene
 * @param waited microseconds since then
 * @param left units of those that the first key still has in use
 */
record Setting(Limit limit, List<Key> keys, long unit, long owed, long waited, long left) {

  private static final int SEGMENTS = 16;
  private static final int CELLS = 4096;

  /** A setting in which the first key owes all it can, and it has just expired. */
  static Setting justExpired(Limit limit, long unit) {
    return of(limit, unit, limit.capacity(), limit.window().toNanos() / 1000, 0);
  }

  static Setting of(Limit limit, long unit, long owed, long waited, long left) {
    return new Setting(limit, neighbours(limit), unit, owed, waited, left);
  }

  private static List<Key> neighbours(Limit limit) {
    Key first =
        LongStream.range(0, 1000)
            .mapToObj(Key::of)
            .filter(key -> segment(limit, key) == 0)
            .findFirst()
            .orElseThrow();
    return LongStream.range(0, 100_000)
        .mapToObj(Key::of)
        .filter(key -> segment(limit, key) == 0)
        .filter(key -> key.equals(first) || cell(limit, key) != cell(limit, first))
        .limit(12)
        .toList();
  }

  private static long segment(Limit limit, Key key) {
    Fingerprint fingerprint = fingerprint(key);
    Table.high(limit, fingerprint);
    return Table.low(limit, fingerprint) & (SEGMENTS - 1);
  }

  private static long cell(Limit limit, Key key) {
    return Table.high(limit, fingerprint(key)) >>> 1 & (CELLS - 1);
  }

  private static Fingerprint fingerprint(Key key) {
    Fingerprint fingerprint = new Fingerprint();
    fingerprint.feed(key.value(), key.number());
    return fingerprint;
  }

  /** The window in microseconds. */
  long window() {
    return limit.window().toNanos() / 1000;
  }

  /** The most that an {@code inc} can take it to. */
  long most() {
    return limit.kind().isBucket() ? limit.capacity() + limit.amount() : (1L << 53) - 1;
  }
}
