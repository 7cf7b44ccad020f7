package dev.stint.algorithm;

/** Opens a state that a store has packed into one word. */
@FunctionalInterface
public interface Unpacking {

  /** Fills {@code state} from a word. */
  void open(long word, Algorithm algorithm, State state);
}
