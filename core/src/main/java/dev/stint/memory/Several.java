package dev.stint.memory;

import dev.stint.Decision;
import dev.stint.Fingerprint;
import dev.stint.Key;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.TimeSource;
import dev.stint.algorithm.Operation;
import dev.stint.algorithm.Outcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An operation on several limits.
 *
 * <p>It answers in numbers where all states are narrow, and with a decision for each limit
 * otherwise. Either way nothing else is allocated. A key is hashed once for all its limits.
 */
final class Several {

  private static final int NUMBERS = 3;

  /** Until a limit of the call follows the wall clock, which is then read once for all. */
  private static final long UNREAD = Long.MIN_VALUE;

  private final Packing packing;
  private final Partitions partitions;
  private final Joint joint;
  private final TimeSource source;
  private final Seats seats;
  private final boolean hasOneTable;

  Several(Packing packing, Partitions partitions, Joint joint, TimeSource source, Seats seats) {
    this.packing = packing;
    this.partitions = partitions;
    this.joint = joint;
    this.source = source;
    this.seats = seats;
    this.hasOneTable = partitions.onlyRows() != null;
  }

  /**
   * Runs an operation on several limits of one key, given in its parts for the reason that {@link
   * Single#run} has.
   *
   * @return {@code long[]}, see {@link Decision#of}, or {@code Decision[]}
   */
  Object run(
      Operation operation,
      List<Limit> limits,
      @Nullable Object value,
      long number,
      long amount,
      long micros) {
    int place = seats.take();
    try {
      Fingerprint fingerprint = new Fingerprint();
      fingerprint.feed(value, number);
      long first = fingerprint.first();
      long second = fingerprint.second();
      Seat[] group = seats.get(place).group(limits.size());
      long wall = UNREAD;
      for (int i = 0; i < group.length; i++) {
        Limit limit = limits.get(i);
        boolean follows = Table.followsWallClock(limit.identityHigh());
        if (follows && wall == UNREAD) {
          wall = source.wall(micros);
        }
        ask(group[i], limit, amount, follows ? wall : micros, first, second);
      }
      if (operation.asks() && joint.runOnNarrow(operation, group)) {
        return numbers(group);
      }
      runInAnyForm(operation, micros, group);
      boolean charged = operation == Operation.HIT && allowed(group);
      Decision[] answers = new Decision[group.length];
      Key key =
          value instanceof String text
              ? Key.of(text)
              : value instanceof byte[] bytes ? Key.of(bytes) : Key.of(number);
      for (int i = 0; i < group.length; i++) {
        answers[i] = answer(operation, group[i], key, charged);
      }
      return answers;
    } finally {
      seats.giveBack(place);
    }
  }

  /** Runs an operation on limits that are given in a call, each on a key of its own. */
  Object run(Operation operation, KeyedLimit[] asked, long micros) {
    int place = seats.take();
    try {
      Seat[] group = seats.get(place).group(asked.length);
      Object value = null;
      long number = 0;
      long first = 0;
      long second = 0;
      long wall = UNREAD;
      for (int i = 0; i < group.length; i++) {
        KeyedLimit one = asked[i];
        Key key = one.key();
        if (i == 0 || value != key.value() || number != key.number()) {
          value = key.value();
          number = key.number();
          Fingerprint fingerprint = new Fingerprint();
          fingerprint.feed(value, number);
          first = fingerprint.first();
          second = fingerprint.second();
        }
        Limit limit = one.limit();
        boolean follows = Table.followsWallClock(limit.identityHigh());
        if (follows && wall == UNREAD) {
          wall = source.wall(micros);
        }
        ask(group[i], limit, one.cost(), follows ? wall : micros, first, second);
        group[i].specify(one.isShadow(), one.stamp(), one.fraction());
      }
      if (operation.asks() && joint.runOnNarrow(operation, group)) {
        return numbers(group);
      }
      runInAnyForm(operation, micros, group);
      boolean charged = operation == Operation.HIT && allowed(group);
      Decision[] answers = new Decision[group.length];
      for (int i = 0; i < group.length; i++) {
        answers[i] = answer(operation, group[i], asked[i].key(), charged);
      }
      return answers;
    } finally {
      seats.giveBack(place);
    }
  }

  private void ask(Seat seat, Limit limit, long amount, long now, long first, long second) {
    seat.ask(
        limit,
        // The rows are the same for all limits; where else a key may be counted is seldom needed.
        hasOneTable ? partitions.prepared() : partitions.of(limit),
        amount,
        now,
        Table.high(limit, first),
        Table.low(limit, second));
  }

  private void runInAnyForm(Operation operation, long micros, Seat[] group) {
    for (Seat seat : group) {
      seat.correct(partitions.of(seat.limit));
    }
    joint.run(operation, micros, group);
  }

  private static boolean allowed(Seat[] group) {
    boolean allowed = true;
    for (Seat seat : group) {
      allowed &= seat.isShadow() || seat.outcome.allowed;
    }
    return allowed;
  }

  private long[] numbers(Seat[] group) {
    long[] numbers = new long[NUMBERS * group.length + 1];
    for (int i = 0; i < group.length; i++) {
      Seat seat = group[i];
      int at = NUMBERS * i;
      numbers[at] =
          packing.narrowExpiry(seat.answer) << 1 | (Packing.isAllowed(seat.answer) ? 1 : 0);
      numbers[at + 1] = Packing.numberOf(seat.answer);
      numbers[at + 2] = Packing.previousOf(seat.answer);
      if (Table.followsWallClock(seat.high)) {
        numbers[NUMBERS * group.length] = seat.now;
      }
    }
    return numbers;
  }

  /**
   * One limit's answer.
   *
   * @param charged whether the cost was charged wherever there was room
   */
  private static Decision answer(Operation operation, Seat seat, Key key, boolean charged) {
    Outcome outcome = seat.outcome;
    // What was charged although the call was refused does not follow from the state.
    boolean counted = operation == Operation.HIT && seat.limit.countsDenied();
    return Decision.of(
        seat.limit,
        key,
        outcome.allowed,
        seat.shared,
        counted ? outcome.copy() : seat.unkept,
        outcome.now,
        seat.amount,
        charged,
        outcome.resetAt,
        outcome.number,
        outcome.previous,
        outcome.wait);
  }
}
