package dev.stint.benchmarks;

import java.util.stream.IntStream;

/** Puts all keys in before anything is measured. */
final class Fill {

  private static final int CHUNK = 10_000;

  private Fill() {}

  /** What is done with one key. */
  interface Each {
    void accept(KeyMaker keys, int index);
  }

  /** Does something with every key, on all processors. */
  static void all(int count, Each each) {
    int chunks = (count + CHUNK - 1) / CHUNK;
    IntStream.range(0, chunks)
        .parallel()
        .forEach(
            chunk -> {
              KeyMaker keys = new KeyMaker();
              int end = Math.min(count, (chunk + 1) * CHUNK);
              for (int index = chunk * CHUNK; index < end; index++) {
                each.accept(keys, index);
              }
            });
  }
}
