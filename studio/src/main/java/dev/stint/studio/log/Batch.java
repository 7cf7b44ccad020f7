package dev.stint.studio.log;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Some requests on their way from the thread that reads to the one that decides. */
final class Batch {

  /** How many requests it takes. */
  static final int ROOM = 1 << 12;

  final long[] micros = new long[ROOM];
  final int[] keys = new int[ROOM];
  final long[] costs = new long[ROOM];
  int size;

  /** What was read until now. */
  long lines;

  long bad;
  long late;

  /** Requests whose client is a dash, which is how logs say that there is none. */
  long unnamed;

  /** What is to be said of bad lines since the last batch. */
  final List<String> complaints = new ArrayList<>();

  /** Whether nothing comes after it, and why not, if that is no good reason. */
  boolean isLast;

  @Nullable Exception failure;

  void clear() {
    size = 0;
    isLast = false;
    failure = null;
    complaints.clear();
  }

  boolean isFull() {
    return size == ROOM;
  }

  void add(long moment, int key, long cost) {
    micros[size] = moment;
    keys[size] = key;
    costs[size++] = cost;
  }
}
