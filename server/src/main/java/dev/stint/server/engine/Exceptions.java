package dev.stint.server.engine;

import dev.stint.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keys that somebody has excepted from their policy by hand, for a time.
 *
 * <p>They are known to this instance only, and outlive a reload. Who asks pays one read while there
 * are none, and makes no object while there are some: the table is never changed, but replaced.
 */
public final class Exceptions {

  /** How many there can be at once. */
  public static final int MOST = 10_000;

  /** What becomes of the key. */
  public enum Kind {
    /** It is counted and never refused. */
    GRANT,
    /** It is refused until the end, and not counted. */
    BLOCK
  }

  /**
   * A key that is excepted.
   *
   * @param until in microseconds of the store's time
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Entry(String policy, byte[] key, Kind kind, long until) {}

  private final TimeSource time;
  private volatile @Nullable ExceptionTable table;

  Exceptions(TimeSource time) {
    this.time = time;
  }

  /** What holds for a key now; null if nothing but its policy does. */
  public @Nullable Entry find(String policy, byte[] key) {
    ExceptionTable known = table;
    if (known == null) {
      return null;
    }
    Entry found = known.find(policy, key);
    return found == null || found.until <= time.micros() ? null : found;
  }

  /**
   * Excepts a key from now on, in place of what held before.
   *
   * @throws IllegalStateException if there are too many already
   */
  public synchronized Entry put(String policy, byte[] key, Kind kind, Duration length) {
    long until = time.micros() + TimeUnit.NANOSECONDS.toMicros(length.toNanos());
    Entry added = new Entry(policy, key.clone(), kind, until);
    List<Entry> kept = without(policy, key);
    if (kept.size() >= MOST) {
      throw new IllegalStateException(
          "grants and blocks must be at most " + MOST + " at once; lift some first");
    }
    kept.add(added);
    replace(kept);
    return added;
  }

  /** Ends what holds for a key; false if nothing does. */
  public synchronized boolean lift(String policy, byte[] key) {
    boolean held = find(policy, key) != null;
    replace(without(policy, key));
    return held;
  }

  private List<Entry> without(String policy, byte[] key) {
    List<Entry> others = new ArrayList<>(alive());
    others.removeIf(entry -> ExceptionTable.isOf(entry, policy, key));
    return others;
  }

  /** Forgets those that have ended, so that they cost nothing any more. */
  public synchronized void clean() {
    ExceptionTable known = table;
    if (known != null) {
      List<Entry> alive = alive();
      if (alive.size() < known.entries().size()) {
        replace(alive);
      }
    }
  }

  private void replace(List<Entry> entries) {
    table = entries.isEmpty() ? null : new ExceptionTable(entries);
  }

  /** All that hold, the one that ends first before the others. */
  public List<Entry> all() {
    List<Entry> all = new ArrayList<>(alive());
    all.sort(Comparator.comparingLong(Entry::until));
    return all;
  }

  private List<Entry> alive() {
    ExceptionTable known = table;
    if (known == null) {
      return List.of();
    }
    long now = time.micros();
    return known.entries().stream().filter(entry -> entry.until > now).toList();
  }

  /** How many of a kind hold. */
  public long count(Kind kind) {
    return alive().stream().filter(entry -> entry.kind == kind).count();
  }

  /** When an entry ends, in milliseconds of the wall clock. */
  public long endMillis(Entry entry) {
    long now = time.micros();
    return TimeUnit.MICROSECONDS.toMillis(time.wall(now) + entry.until - now);
  }
}
