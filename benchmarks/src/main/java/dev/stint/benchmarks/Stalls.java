package dev.stint.benchmarks;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Times in which somebody could not go on, in nanoseconds of {@link System#nanoTime}. */
final class Stalls {

  /** From when to when. */
  record Stall(long start, long end) {
    long nanos() {
      return end - start;
    }
  }

  private final List<Stall> list = new ArrayList<>();

  void add(long start, long end) {
    list.add(new Stall(start, end));
  }

  void addAll(Stalls others) {
    list.addAll(others.list);
  }

  int count() {
    return list.size();
  }

  long total() {
    return list.stream().mapToLong(Stall::nanos).sum();
  }

  long longest() {
    return list.stream().mapToLong(Stall::nanos).max().orElse(0);
  }

  /** The longest of these, each less the time in which the others stood still as well. */
  long longestNetOf(Stalls others) {
    List<Stall> merged = others.merged();
    return list.stream().mapToLong(stall -> net(stall, merged)).max().orElse(0);
  }

  private static long net(Stall stall, List<Stall> merged) {
    long net = stall.nanos();
    for (Stall other : merged) {
      long overlap = Math.min(stall.end(), other.end()) - Math.max(stall.start(), other.start());
      net -= Math.max(0, overlap);
    }
    return net;
  }

  /** The same times with no two that overlap, so that nothing is taken off twice. */
  private List<Stall> merged() {
    List<Stall> sorted = new ArrayList<>(list);
    sorted.sort(Comparator.comparingLong(Stall::start));
    List<Stall> merged = new ArrayList<>();
    for (Stall next : sorted) {
      int last = merged.size() - 1;
      if (last >= 0 && next.start() <= merged.get(last).end()) {
        Stall before = merged.get(last);
        merged.set(last, new Stall(before.start(), Math.max(before.end(), next.end())));
      } else {
        merged.add(next);
      }
    }
    return merged;
  }
}
