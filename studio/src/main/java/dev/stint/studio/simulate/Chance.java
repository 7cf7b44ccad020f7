package dev.stint.studio.simulate;

import java.util.SplittableRandom;

/** Random lengths of time: the same from the same seed, on every machine. */
final class Chance {

  private final SplittableRandom random;

  Chance(SplittableRandom random) {
    this.random = random;
  }

  /** Another one, that does not depend on how often this one is asked. */
  Chance split() {
    return new Chance(random.split());
  }

  /** As long as one waits for what comes at random, {@code mean} on average. */
  double gap(double mean) {
    // StrictMath, since Math may differ by a bit from one machine to the next.
    return -mean * StrictMath.log(1 - random.nextDouble());
  }

  /** At least {@code least}, and {@code more} on average beyond it. */
  long atLeast(long least, long more) {
    return least + (long) gap((double) more);
  }

  /** Anything below {@code end}. */
  long below(long end) {
    return random.nextLong(end);
  }

  /** Whether something happens that happens in so many of a hundred cases. */
  boolean in(int percent) {
    return random.nextInt(100) < percent;
  }
}
