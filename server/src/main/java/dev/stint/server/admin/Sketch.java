package dev.stint.server.admin;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * The most frequent keys of a stream, in a fixed amount of memory: the space-saving algorithm.
 *
 * <p>There are so many slots and no more, each with a key and its count. A key that has a slot is
 * counted there. A key that has none takes over the slot with the lowest count, and that count with
 * it: it may have come so often before, and was forgotten. So a count is never too low, and too
 * high by no more than the slot's <em>error</em>, the count it took over; as long as there were no
 * more keys than slots, every count is exact. A key that makes more than one in n of all requests,
 * with n slots, has a slot for sure.
 *
 * <p>The slots are a heap with the lowest count on top, and an open hash table finds a key's place
 * in it. Both are arrays, filled once: noting a key allocates nothing, whoever sends which keys. Of
 * a long key only the beginning is kept, to be shown; what tells keys apart is a hash with a secret
 * seed.
 *
 * <p>Not safe for several threads; {@link TopKeys} sees to that.
 */
final class Sketch {

  /** What is shown of a key; longer ones are cut off. */
  static final int SHOWN_BYTES = 96;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long MIX = 0x9E3779B97F4A7C15L;

  /** One key that is counted. */
  static final class Entry {
    private final byte[] shown;
    private final String group;
    private final long hash;
    private final long count;
    private final long error;
    private final boolean cut;

    private Entry(Sketch sketch, int slot) {
      this.shown = Arrays.copyOf(sketch.keys[slot], Math.min(sketch.lengths[slot], SHOWN_BYTES));
      this.group = sketch.groups[slot];
      this.hash = sketch.hashes[slot];
      this.count = sketch.counts[slot];
      this.error = sketch.errors[slot];
      this.cut = sketch.lengths[slot] > SHOWN_BYTES;
    }

    /** The key, or its beginning if it {@link #isCut}. */
    byte[] shown() {
      return shown;
    }

    String group() {
      return group;
    }

    long hash() {
      return hash;
    }

    /** How often it came, at most. */
    long count() {
      return count;
    }

    /** By how much that may be too high. */
    long error() {
      return error;
    }

    boolean isCut() {
      return cut;
    }
  }

  private final long seed;
  private final long factor;
  private final int slots;
  private int filled;

  // The heap, by count; a slot's place in it changes as its count grows.
  private final long[] hashes;
  private final long[] counts;
  private final long[] errors;
  private final String[] groups;
  private final byte[][] keys;
  private final int[] lengths;

  // The table: a place in the heap plus one, 0 for nobody. At most half full.
  private final int[] table;
  private final int mask;

  Sketch(int slots, long seed) {
    this.slots = slots;
    this.seed = seed;
    this.factor = new SplittableRandom(seed).nextLong() | 1;
    hashes = new long[slots];
    counts = new long[slots];
    errors = new long[slots];
    groups = new String[slots];
    keys = new byte[slots][];
    lengths = new int[slots];
    table = new int[Integer.highestOneBit(slots * 2 - 1) << 1];
    mask = table.length - 1;
    Arrays.fill(groups, "");
  }

  /** Counts a key of a group; the key is copied. */
  void note(String group, byte[] key) {
    long hash = hash(group, key);
    int at = find(hash);
    if (at >= 0) {
      counts[at]++;
      sink(at);
    } else if (filled < slots) {
      keys[filled] = new byte[SHOWN_BYTES];
      put(filled, hash, group, key);
      filled++;
      rise(filled - 1, 1, 0);
    } else {
      remove(hashes[0]);
      put(0, hash, group, key);
      errors[0] = counts[0];
      counts[0]++;
      sink(0);
    }
  }

  void forEach(Consumer<Entry> visitor) {
    for (int i = 0; i < filled; i++) {
      visitor.accept(new Entry(this, i));
    }
  }

  void clear() {
    filled = 0;
    Arrays.fill(table, 0);
  }

  private void put(int at, long hash, String group, byte[] key) {
    hashes[at] = hash;
    groups[at] = group;
    lengths[at] = key.length;
    System.arraycopy(key, 0, keys[at], 0, Math.min(key.length, SHOWN_BYTES));
    table[free(hash)] = at + 1;
  }

  // The heap

  private void rise(int at, long count, long error) {
    counts[at] = count;
    errors[at] = error;
    for (int child = at, parent; child > 0; child = parent) {
      parent = (child - 1) >> 1;
      if (counts[parent] <= counts[child]) {
        return;
      }
      swap(parent, child);
    }
  }

  private void sink(int at) {
    for (int parent = at; ; ) {
      int least = 2 * parent + 1;
      if (least >= filled) {
        return;
      }
      if (least + 1 < filled && counts[least + 1] < counts[least]) {
        least++;
      }
      if (counts[parent] <= counts[least]) {
        return;
      }
      swap(parent, least);
      parent = least;
    }
  }

  private void swap(int a, int b) {
    int placeOfA = place(hashes[a]);
    int placeOfB = place(hashes[b]);
    table[placeOfA] = b + 1;
    table[placeOfB] = a + 1;
    swap(hashes, a, b);
    swap(counts, a, b);
    swap(errors, a, b);
    String group = groups[a];
    groups[a] = groups[b];
    groups[b] = group;
    byte[] key = keys[a];
    keys[a] = keys[b];
    keys[b] = key;
    int length = lengths[a];
    lengths[a] = lengths[b];
    lengths[b] = length;
  }

  private static void swap(long[] numbers, int a, int b) {
    long number = numbers[a];
    numbers[a] = numbers[b];
    numbers[b] = number;
  }

  // The table

  /** The slot of a hash; -1 if it has none. */
  private int find(long hash) {
    int place = place(hash);
    return table[place] - 1;
  }

  /** Where a hash is in the table, or where its search ends. */
  private int place(long hash) {
    int place = (int) hash & mask;
    while (table[place] != 0 && hashes[table[place] - 1] != hash) {
      place = (place + 1) & mask;
    }
    return place;
  }

  private int free(long hash) {
    int place = (int) hash & mask;
    while (table[place] != 0) {
      place = (place + 1) & mask;
    }
    return place;
  }

  /** Takes a hash out, and moves up those that its place had pushed on. */
  private void remove(long hash) {
    int hole = place(hash);
    table[hole] = 0;
    for (int i = (hole + 1) & mask; table[i] != 0; i = (i + 1) & mask) {
      int home = (int) hashes[table[i] - 1] & mask;
      boolean stays = hole <= i ? hole < home && home <= i : hole < home || home <= i;
      if (!stays) {
        table[hole] = table[i];
        table[i] = 0;
        hole = i;
      }
    }
  }

  private long hash(String group, byte[] key) {
    long hash = seed ^ (group.hashCode() * MIX) ^ key.length;
    int i = 0;
    for (; i + Long.BYTES <= key.length; i += Long.BYTES) {
      hash = mix(hash ^ (long) LONGS.get(key, i));
    }
    long rest = 0;
    for (; i < key.length; i++) {
      rest = (rest << Byte.SIZE) | (key[i] & 0xff);
    }
    return mix(mix(hash ^ rest));
  }

  /** Both halves of a product with a secret: who knows neither cannot make two keys alike. */
  private long mix(long hash) {
    return (hash * factor) ^ Math.multiplyHigh(hash, factor);
  }
}
