package dev.stint.redis;

import dev.stint.Limit;
import dev.stint.algorithm.Algorithm;
import io.lettuce.core.protocol.CommandArgs;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a call says of a limit: its part of a place's name, its algorithm's letter and numbers.
 *
 * @param scriptBit the bit of its algorithm's script
 */
record Terms(byte[] name, int scriptBit, char letter, long[] numbers) {

  /** Limits given per call are few, as a rule; should they not be, the book starts anew. */
  private static final int MOST = 1024;

  private static final ConcurrentHashMap<Limit, Terms> BOOK = new ConcurrentHashMap<>();

  static Terms of(Limit limit) {
    Terms known = BOOK.get(limit);
    if (known != null) {
      return known;
    }
    Algorithm algorithm = limit.algorithm();
    Terms terms =
        new Terms(
            PlaceNames.terms(limit),
            1 << algorithm.script().ordinal(),
            algorithm.script().letter(),
            algorithm.numbers());
    if (BOOK.size() >= MOST) {
      BOOK.clear();
    }
    BOOK.put(limit, terms);
    return terms;
  }

  void writeTo(CommandArgs<byte[], byte[]> args) {
    args.add(String.valueOf(letter));
    for (long number : numbers) {
      args.add(number);
    }
  }
}
