package dev.stint.server.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Gathers what is wrong, so that all of it can be told at once. */
final class Mistakes {

  /** Who has more than this has one mistake in truth, and would not read on. */
  private static final int MOST = 100;

  private final Map<String, List<Mistake>> byFile = new LinkedHashMap<>();
  private int count;

  /** A file is read; its mistakes come after those of the files before. */
  void open(String file) {
    byFile.putIfAbsent(file, new ArrayList<>());
  }

  void add(Place place, String sentence) {
    if (count++ < MOST) {
      open(place.file());
      List<Mistake> mistakes = byFile.get(place.file());
      if (mistakes != null) {
        mistakes.add(new Mistake(place, sentence));
      }
    }
  }

  boolean isEmpty() {
    return count == 0;
  }

  List<Mistake> all() {
    List<Mistake> all = new ArrayList<>();
    byFile
        .values()
        .forEach(
            mistakes -> {
              mistakes.sort(Comparator.comparing(Mistake::place));
              all.addAll(mistakes);
            });
    if (count > MOST) {
      Place last = Place.ofFile(all.get(all.size() - 1).place().file());
      all.add(new Mistake(last, "and " + (count - MOST) + " more mistakes; mend these first"));
    }
    return List.copyOf(all);
  }
}
