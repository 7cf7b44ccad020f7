package dev.stint.redis;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.Store;
import dev.stint.StoreException;
import dev.stint.algorithm.Algorithm;
import dev.stint.algorithm.Evaluation;
import dev.stint.algorithm.Operation;
import dev.stint.algorithm.Outcome;
import dev.stint.algorithm.State;
import io.lettuce.core.protocol.CommandArgs;
import java.util.ArrayList;
import java.util.List;

/** What one script is asked on behalf of one decision: an operation on places that it can reach. */
final class Question {

  // The operations by the numbers that evaluation.lua knows them by.
  private static final int HIT = number(Operation.HIT);
  private static final int PEEK = number(Operation.PEEK);
  private static final int UNDO = number(Operation.UNDO);

  /** A hit that was refused elsewhere: it charges only what counts denied hits. */
  private static final int DENIED = 9;

  /** How many limits one call may have; the script counts them in two bytes. */
  static final int MOST = 1000;

  private static final int SHADOW = 1;
  private static final int OPENED = 2;

  private final int operation;
  private final List<KeyedLimit> limits;
  private final Terms[] terms;
  private final byte[][] places;
  private final int[] flags;

  private Question(
      int operation, List<KeyedLimit> limits, Terms[] terms, byte[][] places, int[] flags) {
    this.operation = operation;
    this.limits = limits;
    this.terms = terms;
    this.places = places;
    this.flags = flags;
  }

  static Question of(Operation operation, List<KeyedLimit> limits, PlaceNames names) {
    Store.check(operation, limits);
    int size = limits.size();
    if (size > MOST) {
      throw new StoreException(
          "one call to Redis may have at most " + MOST + " limits: " + size + "; make it several");
    }
    Terms[] terms = new Terms[size];
    byte[][] places = new byte[size][];
    int[] flags = new int[size];
    for (int i = 0; i < size; i++) {
      KeyedLimit limit = limits.get(i);
      terms[i] = Terms.of(limit.limit());
      places[i] = names.of(limit, terms[i].name());
      flags[i] = limit.isShadow() ? SHADOW : 0;
    }
    return new Question(number(operation), limits, terms, places, flags);
  }

  /** One limit in a place of its own. */
  static Question at(byte[] place, Operation operation, KeyedLimit limit) {
    Terms[] terms = {Terms.of(limit.limit())};
    return new Question(
        number(operation), List.of(limit), terms, new byte[][] {place}, new int[] {0});
  }

  private static int number(Operation operation) {
    return switch (operation) {
      case HIT -> 1;
      case PEEK -> 2;
      case INC -> 3;
      case REFUND -> 4;
      case UNDO -> 5;
      case SET -> 6;
      case GET -> 7;
      case RESET -> 8;
    };
  }

  /** The same of some of its limits only. */
  Question of(List<Integer> chosen) {
    return of(operation, chosen);
  }

  /** The same hit of some of its limits, refused elsewhere: only who counts denied hits charges. */
  Question refused(List<Integer> chosen) {
    return of(DENIED, chosen);
  }

  /** The same hit of some of its limits, only asked for. */
  Question peeking(List<Integer> chosen) {
    return of(PEEK, chosen);
  }

  private Question of(int otherOperation, List<Integer> chosen) {
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
    return new Question(otherOperation, some, someTerms, somePlaces, someFlags);
  }

  /** Undoes charges in these places, as if those that opened their places had not been. */
  Question undoing(List<KeyedLimit> charges, List<Integer> chosen, boolean[] opened) {
    Question undo = of(UNDO, chosen);
    for (int i = 0; i < chosen.size(); i++) {
      undo.flags[i] = opened[i] ? OPENED : 0;
    }
    return new Question(UNDO, charges, undo.terms, undo.places, undo.flags);
  }

  /** Whether it asks for room and so can be refused. */
  boolean asks() {
    return operation == HIT || operation == PEEK;
  }

  boolean isHit() {
    return operation == HIT;
  }

  /** Whether this is a hit that was refused elsewhere. */
  boolean isDenied() {
    return operation == DENIED;
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
   * Writes everything but the keys, as main.lua reads it.
   *
   * @param callLimits the limits of the call in which this travels, by number
   */
  void writeTo(Packed packed, CallLimits callLimits) {
    packed.put(1, operation).put(2, places.length);
    for (int i = 0; i < places.length; i++) {
      KeyedLimit limit = limits.get(i);
      long amount = Math.min(limit.cost(), Algorithm.MAX_COUNT);
      packed.put(2, callLimits.numberOf(terms[i])).put(7, amount).put(1, flags[i]);
      if (operation == UNDO) {
        packed.put(7, limit.stamp()).put(7, limit.fraction());
      }
    }
  }

  /**
   * What this answer says of one limit.
   *
   * @param all whether the call was not refused
   */
  Decision decision(int i, Answer answer, boolean all) {
    KeyedLimit one = limits.get(i);
    Limit limit = one.limit();
    boolean hit = operation == HIT || operation == DENIED;
    boolean fits = answer.fits(i);
    boolean counted = hit && limit.countsDenied() && !(all && fits);
    long wait = counted || !fits ? answer.number(i, Answer.WAIT) : 0;
    long resetAt = answer.number(i, Answer.RESET_AT);
    long number = answer.number(i, Answer.NUMBER);
    long previous = answer.number(i, Answer.PREVIOUS);
    if (limit.kind() == Limit.Kind.SLIDING_LOG && previous == 0) {
      previous = Outcome.FULL;
    }
    boolean take = counted || (hit && all);
    Outcome outcome = null;
    if (counted) {
      // Of a counted denial the state alone tells neither the wait nor what was charged.
      outcome = new Outcome();
      Evaluation.describe(
          limit.algorithm(),
          new State(),
          answer.now(),
          one.cost(),
          take,
          fits,
          resetAt,
          number,
          previous,
          wait,
          outcome);
      outcome.wait = wait;
      outcome.charged = answer.number(i, Answer.CHARGED);
    }
    return Decision.of(
        limit,
        one.key(),
        fits,
        false,
        outcome,
        answer.now(),
        one.cost(),
        take,
        resetAt,
        number,
        previous,
        wait);
  }
}
