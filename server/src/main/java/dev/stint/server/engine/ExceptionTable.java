package dev.stint.server.engine;

import dev.stint.server.engine.Exceptions.Entry;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Finds exceptions by bytes, without making objects of them. It never changes. */
final class ExceptionTable {

  private static final long PRIME = 0x100000001b3L;

  /** Others choose the keys; they shall not choose the places. */
  private final long seed = ThreadLocalRandom.current().nextLong();

  private final List<Entry> entries;
  private final @Nullable Entry[] places;

  ExceptionTable(List<Entry> entries) {
    this.entries = List.copyOf(entries);
    this.places = new Entry[Integer.highestOneBit(entries.size()) * 4]; // never full
    for (Entry entry : entries) {
      int place = place(entry.policy(), entry.key());
      while (places[place] != null) {
        place = (place + 1) & (places.length - 1);
      }
      places[place] = entry;
    }
  }

  List<Entry> entries() {
    return entries;
  }

  @Nullable Entry find(String policy, byte[] key) {
    for (int place = place(policy, key); ; place = (place + 1) & (places.length - 1)) {
      Entry entry = places[place];
      if (entry == null || isOf(entry, policy, key)) {
        return entry;
      }
    }
  }

  static boolean isOf(Entry entry, String policy, byte[] key) {
    return entry.policy().equals(policy) && Arrays.equals(entry.key(), key);
  }

  private int place(String policy, byte[] key) {
    long hash = (seed ^ policy.hashCode()) * PRIME;
    for (byte one : key) {
      hash = (hash ^ one) * PRIME;
    }
    return (int) ((hash ^ (hash >>> 32)) & (places.length - 1));
  }
}
