package dev.stint;

import dev.stint.algorithm.Algorithm;
import dev.stint.algorithm.Evaluation;
import dev.stint.algorithm.Outcome;
import dev.stint.algorithm.State;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a hit: allowed or not, and everything that a header or a log line needs to say why.
 *
 * <p>When several limits were asked, the numbers are those of the limit that decided: of a refusal
 * the one with the longest wait, otherwise the one with least left. {@link #limits()} has every
 * limit's own answer.
 */
public final class Decision {

  /** A time that never comes. */
  public static final Duration NEVER = ChronoUnit.FOREVER.getDuration();

  private final Limit limit;
  private final @Nullable Object keyValue;
  private final long keyNumber;
  private final boolean allowed;
  private final boolean shared;
  private final @Nullable Origin origin;
  private final @Nullable Answers answers;

  // The numbers; or, where a store would rather not work them all out, what they follow from.
  private final @Nullable Outcome outcome;
  private final long now;
  private final long cost;
  private final boolean take;
  private final long resetAt;
  private final long number;
  private final long previous;
  private final long wait;

  private Decision(
      Limit limit,
      Key key,
      boolean allowed,
      boolean shared,
      @Nullable Origin origin,
      @Nullable Outcome outcome,
      long now,
      long cost,
      boolean take,
      long resetAt,
      long number,
      long previous,
      long wait) {
    this.limit = limit;
    this.keyValue = key.value();
    this.keyNumber = key.number();
    this.allowed = allowed;
    this.shared = shared;
    this.origin = origin;
    this.answers = null;
    this.outcome = outcome;
    this.now = now;
    this.cost = cost;
    this.take = take;
    this.resetAt = resetAt;
    this.number = number;
    this.previous = previous;
    this.wait = wait;
  }

  /** The answer of several limits. */
  private Decision(Limit any, boolean allowed, Answers answers) {
    this.limit = any;
    this.keyValue = null;
    this.keyNumber = 0;
    this.allowed = allowed;
    this.shared = false;
    this.origin = null;
    this.answers = answers;
    this.outcome = null;
    this.now = 0;
    this.cost = 0;
    this.take = false;
    this.resetAt = 0;
    this.number = 0;
    this.previous = 0;
    this.wait = 0;
  }

  /** The same answer of one limit, with another story of where it comes from. */
  private Decision(Decision same, @Nullable Origin origin) {
    this.limit = same.limit;
    this.keyValue = same.keyValue;
    this.keyNumber = same.keyNumber;
    this.allowed = same.allowed;
    this.shared = same.shared;
    this.origin = origin;
    this.answers = null;
    this.outcome = same.outcome;
    this.now = same.now;
    this.cost = same.cost;
    this.take = same.take;
    this.resetAt = same.resetAt;
    this.number = same.number;
    this.previous = same.previous;
    this.wait = same.wait;
  }

  /** The same answer of one limit with other numbers. */
  private Decision(Decision same, Outcome outcome) {
    this.limit = same.limit;
    this.keyValue = same.keyValue;
    this.keyNumber = same.keyNumber;
    this.allowed = outcome.allowed;
    this.shared = same.shared;
    this.origin = same.origin;
    this.answers = null;
    this.outcome = outcome;
    this.now = same.now;
    this.cost = 0;
    this.take = false;
    this.resetAt = 0;
    this.number = 0;
    this.previous = 0;
    this.wait = 0;
  }

  /** One limit's answer. For stores. */
  public static Decision of(Limit limit, Key key, Outcome outcome, boolean shared) {
    return of(limit, key, outcome, shared, null);
  }

  /** The answer of a policy, which charges nothing. */
  static Decision of(Limit limit, Key key, Outcome outcome, Origin origin) {
    return of(limit, key, outcome, false, origin);
  }

  private static Decision of(
      Limit limit, Key key, Outcome outcome, boolean shared, @Nullable Origin origin) {
    return new Decision(
        limit, key, outcome.allowed, shared, origin, outcome, outcome.now, 0, false, 0, 0, 0, 0);
  }

  /**
   * One limit's answer, whose numbers are worked out when somebody reads them. For a store that
   * would rather not pay for all of them, nor for an object to carry them in.
   *
   * @param outcome the numbers after all; then the rest does not matter
   * @param take whether the cost was to be charged
   * @param resetAt what the algorithm answered for the state just after the decision
   * @param number the state's {@link State#number}; of a log, the units in use
   * @param previous the state's previous count; of a log, the wait for one more unit than is left
   * @param wait of a log, the wait for the cost
   */
  public static Decision of(
      Limit limit,
      Key key,
      boolean allowed,
      boolean shared,
      @Nullable Outcome outcome,
      long now,
      long cost,
      boolean take,
      long resetAt,
      long number,
      long previous,
      long wait) {
    return new Decision(
        limit, key, allowed, shared, null, outcome, now, cost, take, resetAt, number, previous,
        wait);
  }

  /** The answer of the limit that decided: this one, unless several were asked. */
  private Decision deciding() {
    Answers all = answers;
    return all == null ? this : all.deciding();
  }

  /** The numbers of one limit's answer. */
  private Outcome outcome() {
    Outcome known = outcome;
    if (known == null) {
      known = new Outcome();
      describe(known, new State());
    }
    return known;
  }

  /**
   * Writes all numbers into {@code told} at once. For those who decide very often, tell several
   * numbers and keep nothing: each of the methods that tell one works all of them out again.
   *
   * @param scratch a state to work with, of no meaning before and after
   */
  public void describe(Outcome told, State scratch) {
    Outcome known = outcome;
    if (answers != null) {
      answers.deciding().describe(told, scratch);
    } else if (known != null) {
      known.copyTo(told);
    } else {
      Evaluation.describe(
          limit.algorithm(),
          scratch,
          now,
          cost,
          take,
          allowed,
          resetAt,
          number,
          previous,
          wait,
          told);
    }
  }

  /**
   * The answer of several limits, given in the order in which they were asked. For stores. Each
   * keeps the tag it was asked with; so give it a single answer too, if its limit has one.
   */
  public static Decision of(List<KeyedLimit> asked, List<Decision> answers) {
    if (answers.size() == 1 && !asked.get(0).isShadow()) {
      return answers.get(0).in(asked.get(0).tag());
    }
    KeyedLimit[] given = asked.toArray(KeyedLimit[]::new);
    Decision[] tagged = new Decision[answers.size()];
    for (int i = 0; i < tagged.length; i++) {
      tagged[i] = answers.get(i).in(given[i].tag());
    }
    Answers all = Answers.of(given, tagged);
    return new Decision(given[0].limit(), all.allowed, all);
  }

  /**
   * The answer of several limits on one key, whose numbers are worked out when they are first read.
   * For a store that would rather not pay for all of them.
   *
   * @param limits the limits in the order in which they were asked, never to be changed
   * @param take whether the cost was to be charged
   * @param micros the time of the decision by the monotonic clock
   * @param numbers three of each limit: twice the moment of its reset, plus one if it had room; its
   *     state's number; its state's previous count. After those, the time by the wall clock.
   *     Ignored if there are {@code answers}
   * @param answers every limit's answer, if they do not follow from three numbers each
   */
  public static Decision of(
      List<Limit> limits,
      Key key,
      long cost,
      boolean take,
      long micros,
      long[] numbers,
      Decision @Nullable [] answers) {
    boolean allowed = answers == null ? Answers.allowed(numbers) : Answers.allowed(answers);
    Answers all =
        new Answers(limits, key, cost, take && allowed, micros, numbers, answers, allowed);
    return new Decision(limits.get(0), allowed, all);
  }

  /**
   * The same for limits that were given in the call.
   *
   * @param asked never to be changed
   */
  public static Decision of(KeyedLimit[] asked, boolean take, long micros, long[] numbers) {
    Answers all = Answers.of(asked, take, micros, numbers);
    return new Decision(asked[0].limit(), all.allowed, all);
  }

  /** Whether the request may pass. */
  public boolean allowed() {
    return allowed;
  }

  /** The limit that decided. */
  public Limit limit() {
    return deciding().limit;
  }

  /** The amount of the limit that decided. */
  public long amount() {
    return limit().amount();
  }

  /** Units in use, this hit's included if it was charged. */
  public long used() {
    return deciding().outcome().used;
  }

  /** Units that a next hit could have at once. */
  public long remaining() {
    return deciding().outcome().remaining;
  }

  /**
   * How long to wait before the same hit fits, if nobody else comes: not a microsecond less will
   * do. Zero when allowed, {@link #NEVER} when the cost is more than the limit can ever hold.
   *
   * <p>If denied hits are counted, this one's charge is part of the wait. So among the {@link
   * #limits()} of a refused call a limit may have to be waited for although it had room itself.
   */
  public Duration retryAfter() {
    return duration(waitMicros());
  }

  /** Whether no wait is long enough: the cost is more than the limit can ever hold. */
  public boolean neverFits() {
    return waitMicros() >= Algorithm.NEVER;
  }

  /** How long until one more unit than {@link #remaining()} is free; empty when all are. */
  public Optional<Duration> nextAfter() {
    long next = deciding().outcome().next;
    return next == Outcome.FULL ? Optional.empty() : Optional.of(duration(next));
  }

  /** How long until the key is as good as new; {@link #NEVER} for a quota that was touched. */
  public Duration resetAfter() {
    Decision told = deciding();
    long moment = told.outcome().resetAt;
    return moment >= Algorithm.NEVER ? NEVER : duration(moment - told.now);
  }

  /** Whether the answer came from a cell that other keys share, because the store is full. */
  public boolean shared() {
    return deciding().shared;
  }

  /**
   * Whether the store could not be asked, so that this is the answer of a policy, or the count of a
   * {@linkplain Store#orElse fallback}.
   */
  public boolean degraded() {
    Origin told = deciding().origin;
    return told != null && told.reason() != null;
  }

  /**
   * Whether nothing was counted: this is the answer of {@link Store#admitting} or {@link
   * Store#denying}, which is the same for everybody, and says nothing about the key.
   */
  public boolean uncounted() {
    Origin told = deciding().origin;
    return told != null && told.fixed();
  }

  /** Why the answer is degraded. */
  public Optional<String> reason() {
    Origin told = deciding().origin;
    return told == null ? Optional.empty() : Optional.ofNullable(told.reason());
  }

  /** Every limit's own answer, in the order in which they were asked. */
  public List<Decision> limits() {
    Answers all = answers;
    return all == null ? List.of(this) : all.each();
  }

  /** What a refund must undo, one entry for each limit that was charged. For stores. */
  public List<KeyedLimit> charges() {
    List<KeyedLimit> charges = new ArrayList<>();
    for (Decision one : limits()) {
      Outcome hit = one.outcome();
      if (hit.charged > 0) {
        Key key = Key.of(one.keyValue, one.keyNumber);
        charges.add(
            new KeyedLimit(one.limit, key, hit.charged, hit.stamp, hit.fraction, one.origin));
      }
    }
    return charges;
  }

  /** This answer, given by {@code fallback} because the store that was asked first failed. */
  Decision insteadOf(Store fallback, String reason) {
    Answers all = answers;
    if (all == null) {
      return new Decision(this, Origin.insteadOf(origin, fallback, reason));
    }
    List<Decision> each = all.each().stream().map(one -> one.insteadOf(fallback, reason)).toList();
    Decision deciding = all.deciding().insteadOf(fallback, reason);
    return new Decision(limit, allowed, Answers.of(allowed, each, deciding));
  }

  /** This answer to a peek, refused for so long because others wait ahead. */
  Decision refused(long wait) {
    Answers all = answers;
    if (all != null) {
      Decision deciding = all.deciding().refused(wait);
      return new Decision(limit, false, Answers.of(false, all.each(), deciding));
    }
    Outcome refused = outcome().copy();
    refused.allowed = false;
    refused.wait = Math.max(1, wait);
    return new Decision(this, refused);
  }

  /** This answer under a tag, if there is one. */
  Decision in(@Nullable String tag) {
    Answers all = answers;
    if (tag == null) {
      return this;
    }
    return all == null
        ? new Decision(this, Origin.in(origin, tag))
        : new Decision(limit, allowed, Answers.of(allowed, all.each(), all.deciding().in(tag)));
  }

  /** The wait in microseconds. What was allowed as a whole has none, whatever its limits say. */
  long waitMicros() {
    Answers all = answers;
    if (all != null) {
      return allowed ? 0 : all.deciding().waitMicros();
    }
    return allowed && outcome == null ? 0 : outcome().wait;
  }

  /** When the key is as good as new: empty if it is already, {@link Instant#MAX} for never. */
  Optional<Instant> expiresAt() {
    Decision told = deciding();
    long moment = told.outcome().resetAt;
    if (moment >= Algorithm.NEVER) {
      return Optional.of(Instant.MAX);
    }
    return moment <= told.now
        ? Optional.empty()
        : Optional.of(Instant.EPOCH.plus(duration(moment)));
  }

  private static Duration duration(long micros) {
    return micros >= Algorithm.NEVER ? NEVER : Duration.of(micros, ChronoUnit.MICROS);
  }

  /** The answer in one line, for logs. */
  @Override
  public String toString() {
    StringBuilder line = new StringBuilder(allowed ? "allowed" : "denied");
    line.append(" by ").append(limit()).append(", ").append(remaining()).append(" left");
    if (!allowed) {
      line.append(neverFits() ? ", never fits" : ", retry in " + retryAfter());
    }
    if (shared()) {
      line.append(", shared");
    }
    reason().ifPresent(why -> line.append(", degraded: ").append(why));
    return line.toString();
  }
}
