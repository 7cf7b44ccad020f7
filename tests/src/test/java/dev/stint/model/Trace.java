package dev.stint.model;

import dev.stint.Store;
import dev.stint.model.Terms.Kind;
import dev.stint.testkit.ManualTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * One random trace: a few limits and keys, a fresh store and a fresh model, every operation put to
 * both. The seed determines everything, the leading algorithm too, so that consecutive seeds visit
 * all algorithms evenly.
 */
final class Trace {
  private static final int MOST_OPEN_REFUNDS = 12;
  private static final List<Kind> KINDS = List.of(Kind.values());

  private final boolean calm;
  private final Dice dice;
  private final RandomTerms randomTerms;
  private final RandomCosts costs;
  private final Walk walk;
  private final History history;
  private final int length;
  private final ManualTime time = ManualTime.at(Instant.EPOCH);
  private final Store store;
  private final Pair pair;
  private final List<Terms> limits;
  private final List<Pair.Granted> refundable = new ArrayList<>();
  private List<Ask> lastAsks;
  private long stepsOnPromise;

  Trace(long seed, Function<ManualTime, Store> stores) {
    this(seed, false, stores);
  }

  /**
   * A trace.
   *
   * @param calm whether time only goes on, and limits stay as they are
   */
  Trace(long seed, boolean calm, Function<ManualTime, Store> stores) {
    this.calm = calm;
    dice = new Dice(seed);
    randomTerms = new RandomTerms(dice);
    costs = new RandomCosts(dice);
    walk = new Walk(dice, calm);
    history = new History(seed);
    length = dice.below(2_000) == 0 ? 20_000 : (int) dice.logUniform(30, 2_000);
    limits = randomLimits(leadingKind(seed));
    lastAsks = List.of(Ask.of(limits.get(0), "a", 1));
    time.setMicros(walk.now());
    store = stores.apply(time);
    pair = new Pair(time, store, history, limits);
  }

  static Kind leadingKind(long seed) {
    return KINDS.get(Math.floorMod(seed, KINDS.size()));
  }

  private List<Terms> randomLimits(Kind leading) {
    List<Terms> drawn = new ArrayList<>();
    int count = 1 + dice.weighted(50, 30, 20);
    for (int i = 0; i < count; i++) {
      Kind kind = i == 0 || dice.chance(40) ? leading : dice.of(KINDS);
      drawn.add(randomTerms.draw(kind, i == 0 && dice.chance(50) ? "" : "limit-" + i));
    }
    return drawn;
  }

  long steps() {
    return history.steps();
  }

  long stepsOnPromise() {
    return stepsOnPromise;
  }

  /** Runs to the end of the trace or to the first difference. */
  void run() throws Exception {
    try (store) {
      while (history.steps() < length && !walk.isOver()) {
        step();
      }
    } catch (RuntimeException thrown) {
      throw history.failure(thrown);
    }
  }

  /**
   * A store may forget what has expired whenever it likes, and nobody notices, unless the clock
   * then steps back to where it had not expired. So before such a step both forget everything that
   * has.
   */
  private void step() {
    history.begin();
    walk.step(dice.of(limits));
    if (walk.now() < time.micros()) {
      pair.clean();
    }
    time.setMicros(walk.now());
    if (walk.isOnPromise()) {
      stepsOnPromise++;
      if (dice.chance(70)) {
        ask(lastAsks, dice.chance(60));
        return;
      }
    }
    switch (dice.weighted(300, 140, 90, 90, 70, 60, 70, 50, 50, 20, 8, 12)) {
      case 0 -> ask(List.of(randomAsk()), true);
      case 1 -> ask(jointAsks(), dice.chance(75));
      case 2 -> askOwnLimits(dice.chance(75));
      case 3 -> ask(List.of(randomAsk()), false);
      case 4 -> inc();
      case 5 -> refund();
      case 6 -> refundDecision();
      case 7 -> set();
      case 8 -> tell();
      case 9 -> reset();
      case 10 -> pair.clean();
      default -> changeLimit();
    }
  }

  /**
   * Whether an operation is put to the limiter's own limits rather than to one given in the call.
   */
  private boolean ofOwnLimits() {
    return dice.chance(20);
  }

  private String stringKey() {
    return dice.of(Limits.STRING_KEYS);
  }

  private Ask randomAsk() {
    Terms terms = dice.of(limits);
    return new Ask(terms, dice.of(Limits.KEY_NAMES), costs.cost(terms), dice.chance(4));
  }

  private List<Ask> jointAsks() {
    List<Ask> asks = new ArrayList<>();
    int wanted = (int) dice.between(1, 4);
    for (int i = 0; i < wanted; i++) {
      Ask ask = randomAsk();
      boolean taken =
          asks.stream().anyMatch(a -> a.terms().equals(ask.terms()) && a.key().equals(ask.key()));
      if (!taken) {
        asks.add(new Ask(ask.terms(), ask.key(), ask.cost(), dice.chance(20)));
      }
    }
    return asks;
  }

  private void ask(List<Ask> asks, boolean hit) {
    listen(pair.ask(asks, hit), hit);
    lastAsks = asks;
  }

  private void askOwnLimits(boolean hit) {
    listen(pair.ask(stringKey(), costs.cost(dice.of(limits)), hit), hit);
  }

  private void listen(Pair.Granted granted, boolean hit) {
    walk.listen(granted.answer());
    costs.listen(granted.answer());
    if (dice.chance(hit ? 40 : 2) && refundable.size() < MOST_OPEN_REFUNDS) {
      refundable.add(granted);
    }
  }

  /** After a deed that answers nothing, half the times a look at what it did. */
  private void lookAt(Ask ask) {
    if (dice.chance(50)) {
      ask(List.of(Ask.of(ask.terms(), ask.key(), ask.cost())), false);
    }
  }

  private void inc() {
    if (ofOwnLimits()) {
      pair.inc(stringKey(), costs.cost(dice.of(limits)));
    } else {
      Ask ask = randomAsk();
      pair.inc(ask);
      lookAt(ask);
    }
  }

  private void refund() {
    if (ofOwnLimits()) {
      pair.refund(stringKey(), costs.cost(dice.of(limits)));
    } else {
      Ask ask = randomAsk();
      pair.refund(ask);
      lookAt(ask);
    }
  }

  private void refundDecision() {
    if (refundable.isEmpty()) {
      tell();
    } else {
      Pair.Granted granted = refundable.remove(dice.below(refundable.size()));
      pair.refund(granted);
      granted.answer().charges().forEach(c -> lookAt(Ask.of(c.terms(), c.key(), 1)));
    }
  }

  private void set() {
    if (ofOwnLimits()) {
      pair.set(stringKey(), costs.count(dice.of(limits)));
    } else {
      Ask ask = randomAsk();
      pair.set(ask, costs.count(ask.terms()));
      lookAt(ask);
    }
  }

  private void tell() {
    if (ofOwnLimits()) {
      pair.tell(stringKey());
    } else {
      pair.tell(randomAsk());
    }
  }

  private void reset() {
    if (ofOwnLimits()) {
      pair.reset(stringKey());
    } else {
      pair.reset(jointAsks());
    }
  }

  private void changeLimit() {
    if (calm) {
      tell();
      return;
    }
    int place = dice.below(limits.size());
    limits.set(place, randomTerms.change(limits.get(place)));
    pair.change(limits);
  }
}
