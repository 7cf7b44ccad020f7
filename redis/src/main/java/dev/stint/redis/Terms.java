package dev.stint.redis;

import dev.stint.Limit;
import dev.stint.algorithm.Algorithm;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;

/** What a call says of a limit. */
final class Terms {

  /** Limits given per call are few, as a rule; should they not be, the book starts anew. */
  private static final int MOST = 1024;

  /** Every algorithm is sent as many numbers as the largest has, to be read in one go. */
  private static final int NUMBERS = 8;

  private static final ConcurrentHashMap<Limit, Terms> BOOK = new ConcurrentHashMap<>();

  private final byte[] name;
  private final int scriptBit;
  private final byte[] packed;

  private Terms(byte[] name, int scriptBit, byte[] packed) {
    this.name = name;
    this.scriptBit = scriptBit;
    this.packed = packed;
  }

  /** Its part of a place's name. */
  byte[] name() {
    return name;
  }

  /** The bit of its algorithm's script. */
  int scriptBit() {
    return scriptBit;
  }

  /** Its algorithm, whether it counts denied hits, and its numbers, as main.lua reads them. */
  byte[] packed() {
    return packed;
  }

  static Terms of(Limit limit) {
    Terms known = BOOK.get(limit);
    if (known != null) {
      return known;
    }
    Algorithm algorithm = limit.algorithm();
    Terms terms =
        new Terms(PlaceNames.terms(limit), Scripts.bit(algorithm.script()), pack(algorithm));
    if (BOOK.size() >= MOST) {
      BOOK.clear();
    }
    BOOK.put(limit, terms);
    return terms;
  }

  private static byte[] pack(Algorithm algorithm) {
    Packed packed = new Packed(64);
    packed.put(1, algorithm.script().number()).put(1, algorithm.countsDenied() ? 1 : 0);
    for (long number : Arrays.copyOf(algorithm.numbers(), NUMBERS)) {
      packed.put(7, number);
    }
    return packed.bytes();
  }
}
