package dev.stint.model;

import java.util.List;
import java.util.SplittableRandom;

/** Random numbers of the shapes the traces need; the same seed throws the same numbers. */
final class Dice {
  private final SplittableRandom random;

  Dice(long seed) {
    random = new SplittableRandom(seed);
  }

  /** True {@code percent} times in a hundred. */
  boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  /** Every number from the least to the most alike. */
  long between(long least, long most) {
    return least + random.nextLong(most - least + 1);
  }

  /** Every order of magnitude alike. */
  long logUniform(long least, long most) {
    double drawn =
        Math.exp(random.nextDouble(Math.log((double) least), Math.log((double) most + 1)));
    return Math.max(least, Math.min(most, (long) drawn));
  }

  <T> T of(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  /** An index, each as often as its weight says. */
  int weighted(int... weights) {
    int total = 0;
    for (int weight : weights) {
      total += weight;
    }
    int drawn = random.nextInt(total);
    int index = 0;
    while (drawn >= weights[index]) {
      drawn -= weights[index];
      index++;
    }
    return index;
  }
}
