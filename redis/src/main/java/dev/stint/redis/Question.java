package dev.stint.redis;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.algorithm.Algorithm;
import dev.stint.algorithm.Operation;
import io.lettuce.core.protocol.CommandArgs;
import java.util.ArrayList;
import java.util.List;

/** What one script is asked on behalf of one decision: an operation on places that it can reach. */
final class Question {

  /** A hit that was refused elsewhere: it charges only what counts denied hits. */
  static final String DENIED = "DENIED";

  private static final int SHADOW = 1;
  private static final int OPENED = 2;

  private final String word;
  private final List<KeyedLimit> limits;
  private final Terms[] terms;
  private final byte[][] places;
  private final int[] flags;

  private Question(
      String word, List<KeyedLimit> limits, Terms[] terms, byte[][] places, int[] flags) {
    this.word = word;
    this.limits = limits;
    this.terms = terms;
    this.places = places;
    this.flags = flags;
  }

  static Question of(Operation operation, List<KeyedLimit> limits, PlaceNames names) {
    int size = limits.size();
    Terms[] terms = new Terms[size];
    byte[][] places = new byte[size][];
    int[] flags = new int[size];
    for (int i = 0; i < size; i++) {
      KeyedLimit limit = limits.get(i);
      terms[i] = Terms.of(limit.limit());
      places[i] = names.of(limit, terms[i].name());
      flags[i] = limit.isShadow() ? SHADOW : 0;
    }
    return new Question(operation.name(), limits, terms, places, flags);
  }

  /** One limit in a place of its own. */
  static Question at(byte[] place, Operation operation, KeyedLimit limit) {
    Terms[] terms = {Terms.of(limit.limit())};
    return new Question(
        operation.name(), List.of(limit), terms, new byte[][] {place}, new int[] {0});
  }

  /** The same of some of its limits only, with another word. */
  Question of(String otherWord, List<Integer> chosen) {
    int size = chosen.size();
    List<KeyedLimit> some = new ArrayList<>(size);
    Terms[] someTerms = new Terms[size];
    byte[][] somePlaces = new byte[size][];
    int[] someFlags = new int[size];
    for (int i = 0; i < size; i++) {
      int at = chosen.get(i);
      some.add(limits.get(at));
      someTerms[i] = terms[at];
      somePlaces[i] = places[at];
      someFlags[i] = flags[at];
    }
    return new Question(otherWord, some, someTerms, somePlaces, someFlags);
  }

  /** Undoes charges in these places, as if those that opened their places had not been. */
  Question undoing(List<KeyedLimit> charges, List<Integer> chosen, boolean[] opened) {
    Question undo = of(Operation.UNDO.name(), chosen);
    for (int i = 0; i < chosen.size(); i++) {
      undo.flags[i] = opened[i] ? OPENED : 0;
    }
    return new Question(undo.word, charges, undo.terms, undo.places, undo.flags);
  }

  String word() {
    return word;
  }

  List<KeyedLimit> limits() {
    return limits;
  }

  byte[] place(int i) {
    return places[i];
  }

  Terms terms(int i) {
    return terms[i];
  }

  int size() {
    return places.length;
  }

  void addKeys(CommandArgs<byte[], byte[]> args) {
    for (byte[] place : places) {
      args.addKey(place);
    }
  }

  /**
   * Writes everything but the keys.
   *
   * @param numbers the number that each limit has in this call, in the order of the limits
   */
  void writeTo(CommandArgs<byte[], byte[]> args, int[] numbers) {
    boolean undo = word.equals("UNDO");
    args.add(word).add(places.length);
    for (int i = 0; i < places.length; i++) {
      KeyedLimit limit = limits.get(i);
      args.add(numbers[i]).add(Math.min(limit.cost(), Algorithm.MAX_COUNT)).add(flags[i]);
      if (undo) {
        args.add(limit.stamp()).add(limit.fraction());
      }
    }
  }

  /** Reads the answer to this question from {@code numbers}, starting at {@code from}. */
  Answer answer(long now, long[] numbers, int from) {
    int size = places.length;
    boolean hit = word.equals("HIT") || word.equals(DENIED);
    boolean all = !word.equals(DENIED);
    for (int i = 0; i < size; i++) {
      all &= limits.get(i).isShadow() || numbers[from + Answer.NUMBERS * i] == 0;
    }
    List<Decision> decisions = new ArrayList<>(size);
    boolean[] absent = new boolean[size];
    for (int i = 0; i < size; i++) {
      KeyedLimit one = limits.get(i);
      int at = from + Answer.NUMBERS * i;
      boolean take = hit && (all || one.limit().countsDenied());
      decisions.add(
          Decision.of(
              one.limit(),
              one.key(),
              numbers[at] == 0,
              false,
              null,
              now,
              one.cost(),
              take,
              numbers[at + 1],
              numbers[at + 2],
              numbers[at + 3],
              numbers[at]));
      absent[i] = numbers[at + 4] == 1;
    }
    return new Answer(all, decisions, absent);
  }
}
