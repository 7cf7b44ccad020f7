package dev.stint.benchmarks;

import java.util.ArrayList;
import java.util.List;

/**
 * Circumstances under which all contestants are measured in turn.
 *
 * @param callers how many threads ask and wait, or how many questions are under way at once
 * @param drivers how many threads ask without waiting; 0 if the callers wait
 * @param keys how many keys there are
 */
record RedisScenario(Section section, int callers, int drivers, int keys, Answers answers) {

  private static final int MANY = 10_000;

  /** A part of the report. */
  enum Section {
    BLOCKING("blocking", "caller"),
    ASYNC("async", "under way"),
    REFUSALS("refusals", "caller");

    private final String word;
    private final String unit;

    Section(String word, String unit) {
      this.word = word;
      this.unit = unit;
    }
  }

  static List<RedisScenario> all() {
    List<RedisScenario> all = new ArrayList<>();
    for (int keys : new int[] {1, MANY}) {
      for (int callers : new int[] {1, 8, 64}) {
        all.add(blocking(keys, callers));
      }
    }
    all.add(async(8));
    all.add(async(64));
    all.add(refusals(1));
    all.add(refusals(MANY));
    return all;
  }

  static RedisScenario hot(int callers) {
    return blocking(1, callers);
  }

  static RedisScenario many(int callers) {
    return blocking(MANY, callers);
  }

  private static RedisScenario blocking(int keys, int callers) {
    return new RedisScenario(Section.BLOCKING, callers, 0, keys, Answers.ADMITTED);
  }

  static RedisScenario async(int underWay) {
    return new RedisScenario(Section.ASYNC, underWay, underWay > 8 ? 2 : 1, MANY, Answers.ADMITTED);
  }

  static List<RedisScenario> refusals() {
    return List.of(refusals(1), refusals(MANY));
  }

  private static RedisScenario refusals(int keys) {
    return new RedisScenario(Section.REFUSALS, 8, 0, keys, Answers.REFUSED);
  }

  boolean isAsync() {
    return drivers > 0;
  }

  String label() {
    String of = keys == 1 ? "one hot key" : "%,d keys".formatted(keys);
    String plural = section != Section.ASYNC && callers > 1 ? "s" : "";
    return "%s, %s, %d %s".formatted(section.word, of, callers, section.unit + plural);
  }

  String id() {
    return "%s/%s/%d".formatted(section.word, keys == 1 ? "hot" : "10k", callers);
  }

  String key(int i) {
    return keys == 1 ? "user:hot" : name(i);
  }

  static String name(int i) {
    return "user:%04d".formatted(i);
  }
}
