package dev.stint.studio.demo;

import dev.stint.studio.simulate.Even;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** A shape of traffic, scaled to the limit it is tried on. */
enum Scenario {
  EDGE(
      "edge",
      "A burst at the window's edge",
      3,
      "The whole amount just before a window of the clock ends, the whole amount again just after, then"
          + " retries at three times the rate.",
      "The fixed window on the clock forgets the first burst at the edge and passes the second one too,"
          + " twice its amount in a moment; the log looks back a whole window and never does.") {
    @Override
    LongStream traffic(long amount, long window) {
      Even after = Even.burst(window, amount, window);
      return all(
          Even.burstBefore(window, amount, window),
          after,
          new Even(6 * amount, after.end(), 3 * window));
    }
  },

  STEADY(
      "steady",
      "Steady traffic",
      3,
      "Twice the rate that the limit allows, evenly.",
      "Windows and the log pass everything for a while and then nothing; the sliding counter, and the"
          + " buckets once their burst is spent, pass every other hit.") {
    @Override
    LongStream traffic(long amount, long window) {
      return new Even(5 * amount, window / 2, 3 * window).all();
    }
  },

  ATTACKER(
      "attacker",
      "An attacker who times windows",
      4,
      "One quiet hit to open a window; then all it can get in that window's last moment, in the next"
          + " one's first, and half-way through it. Twice.",
      "Both fixed windows pass all but twice their amount in a moment, and the sliding counter half as"
          + " much again within one window; a bucket passes its burst and what refills; the log its"
          + " amount, not one more.") {
    @Override
    LongStream traffic(long amount, long window) {
      return LongStream.of(0, 2 * window)
          .mapToObj(start -> Even.attack(start, amount, window).toArray(Even[]::new))
          .flatMapToLong(Scenario::all);
    }
  };

  private final String word;
  private final String title;
  private final int windows;
  private final String story;
  private final String lesson;

  Scenario(String word, String title, int windows, String story, String lesson) {
    this.word = word;
    this.title = title;
    this.windows = windows;
    this.story = story;
    this.lesson = lesson;
  }

  /** The scenario of this name. */
  static Scenario of(String word) {
    for (Scenario scenario : values()) {
      if (scenario.word.equalsIgnoreCase(word)) {
        return scenario;
      }
    }
    throw new IllegalArgumentException(
        "scenario must be one of "
            + Arrays.stream(values()).map(Scenario::toString).collect(Collectors.joining(", "))
            + ": '"
            + word
            + "'");
  }

  /** When the hits come, in microseconds since the start of a window of the clock, in order. */
  abstract LongStream traffic(long amount, long window);

  private static LongStream all(Even... parts) {
    return Arrays.stream(parts).flatMapToLong(Even::all);
  }

  String title() {
    return title;
  }

  /** How many windows of the clock the traffic lasts. */
  int windows() {
    return windows;
  }

  /** What the traffic is. */
  String story() {
    return story;
  }

  /** What to see. */
  String lesson() {
    return lesson;
  }

  @Override
  public String toString() {
    return word;
  }
}
