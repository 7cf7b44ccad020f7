package dev.stint.benchmarks;

/** What is measured: a limiter together with whatever it keeps its keys in. */
interface Subject {

  /** Asks for one unit. */
  boolean hit(String key);

  /** Asks for one unit, and answers with all that the limiter has to say about it. */
  default Object answer(String key) {
    return hit(key);
  }

  /** Asks for the first unit of a key not seen before, which must be admitted. */
  default void insert(String key) {
    if (!hit(key)) {
      throw new IllegalStateException("the first hit must be admitted: " + key + " was refused");
    }
  }

  /** Takes all that a key not seen before has, so that it is refused from now on. */
  void exhaust(String key);
}
