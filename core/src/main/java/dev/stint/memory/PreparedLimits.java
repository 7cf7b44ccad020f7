package dev.stint.memory;

import dev.stint.Limit;
import java.util.Collection;

/**
 * The limits that a limiter or a policy was made with, by their identity; all others were given in
 * a call.
 *
 * <p>A small hash table of two words for each limit, replaced as a whole when a limit is added, so
 * that asking it takes no lock. It is bounded: limits beyond the bound are treated as if they had
 * been given in a call.
 */
final class PreparedLimits {

  private static final int MOST = 1 << 16;

  private volatile long[] words = new long[16];
  private int count;

  boolean contains(Limit limit) {
    return find(words, limit) >= 0;
  }

  void addAll(Collection<Limit> limits) {
    for (Limit limit : limits) {
      if (!contains(limit)) { // limiters may be made for a single call; most take no lock here
        add(limit);
      }
    }
  }

  private synchronized void add(Limit limit) {
    if (count == MOST || contains(limit)) {
      return;
    }
    long[] old = words;
    long[] next = new long[4 * (count + 1) > old.length ? 2 * old.length : old.length];
    for (int i = 0; i < old.length; i += 2) {
      if (old[i] != 0) {
        put(next, old[i], old[i + 1]);
      }
    }
    put(next, limit.identityHigh(), limit.identityLow());
    words = next;
    count++;
  }

  private static void put(long[] words, long high, long low) {
    int i = home(words, low);
    while (words[i] != 0) {
      i = (i + 2) & (words.length - 1);
    }
    words[i] = high;
    words[i + 1] = low;
  }

  /** The position of a limit, or −1. No identity has a high half of zero. */
  private static int find(long[] words, Limit limit) {
    int i = home(words, limit.identityLow());
    while (words[i] != 0) {
      if (words[i] == limit.identityHigh() && words[i + 1] == limit.identityLow()) {
        return i;
      }
      i = (i + 2) & (words.length - 1);
    }
    return -1;
  }

  private static int home(long[] words, long low) {
    return ((int) low << 1) & (words.length - 1);
  }
}
