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
  private final @Nullable List<Decision> limits;

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
    this.limits = null;
    this.outcome = outcome;
    this.now = now;
    this.cost = cost;
    this.take = take;
    this.resetAt = resetAt;
    this.number = number;
    this.previous = previous;
    this.wait = wait;
  }

  /** The deciding answer, speaking for all. */
  private Decision(Decision deciding, boolean allowed, List<Decision> limits) {
    this.limit = deciding.limit;
    this.keyValue = deciding.keyValue;
    this.keyNumber = deciding.keyNumber;
    this.allowed = allowed;
    this.shared = deciding.shared;
    this.origin = deciding.origin;
    this.limits = limits;
    this.outcome = deciding.outcome();
    this.now = deciding.now;
    this.cost = 0;
    this.take = false;
    this.resetAt = 0;
    this.number = 0;
    this.previous = 0;
    this.wait = 0;
  }

  /** The same answer, with another story of where it comes from. */
  private Decision(Decision same, @Nullable Origin origin, @Nullable List<Decision> limits) {
    this.limit = same.limit;
    this.keyValue = same.keyValue;
    this.keyNumber = same.keyNumber;
    this.allowed = same.allowed;
    this.shared = same.shared;
    this.origin = origin;
    this.limits = limits;
    this.outcome = same.outcome;
    this.now = same.now;
    this.cost = same.cost;
    this.take = same.take;
    this.resetAt = same.resetAt;
    this.number = same.number;
    this.previous = same.previous;
    this.wait = same.wait;
  }

  /** The same answer with other numbers. */
  private Decision(Decision same, Outcome outcome) {
    this.limit = same.limit;
    this.keyValue = same.keyValue;
    this.keyNumber = same.keyNumber;
    this.allowed = outcome.allowed;
    this.shared = same.shared;
    this.origin = same.origin;
    this.limits = same.limits;
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
    if (known != null) {
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
    Decision[] tagged = new Decision[answers.size()];
    boolean watched = asked.stream().allMatch(KeyedLimit::isShadow);
    boolean refused = false;
    Decision longest = null;
    Decision tightest = null;
    for (int i = 0; i < answers.size(); i++) {
      Decision answer = answers.get(i).in(asked.get(i).tag());
      tagged[i] = answer;
      if (asked.get(i).isShadow() && !watched) {
        continue;
      }
      refused |= !answer.allowed && !watched;
      if (longest == null || answer.waitMicros() > longest.waitMicros()) {
        longest = answer;
      }
      if (tightest == null || answer.remaining() < tightest.remaining()) {
        tightest = answer;
      }
    }
    if (longest == null || tightest == null) {
      throw new IllegalArgumentException("a decision must have at least one answer: " + answers);
    }
    return new Decision(refused ? longest : tightest, !refused, List.of(tagged));
  }

  /** Whether the request may pass. */
  public boolean allowed() {
    return allowed;
  }

  /** The limit that decided. */
  public Limit limit() {
    return limit;
  }

  /** The amount of the limit that decided. */
  public long amount() {
    return limit.amount();
  }

  /** Units in use, this hit's included if it was charged. */
  public long used() {
    return outcome().used;
  }

  /** Units that a next hit could have at once. */
  public long remaining() {
    return outcome().remaining;
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
    long next = outcome().next;
    return next == Outcome.FULL ? Optional.empty() : Optional.of(duration(next));
  }

  /** How long until the key is as good as new; {@link #NEVER} for a quota that was touched. */
  public Duration resetAfter() {
    long moment = outcome().resetAt;
    return moment >= Algorithm.NEVER ? NEVER : duration(moment - now);
  }

  /** Whether the answer came from a cell that other keys share, because the store is full. */
  public boolean shared() {
    return shared;
  }

  /**
   * Whether the store could not be asked, so that this is the answer of a policy, or the count of a
   * {@linkplain Store#orElse fallback}.
   */
  public boolean degraded() {
    return origin != null && origin.reason() != null;
  }

  /**
   * Whether nothing was counted: this is the answer of {@link Store#admitting} or {@link
   * Store#denying}, which is the same for everybody, and says nothing about the key.
   */
  public boolean uncounted() {
    return origin != null && origin.fixed();
  }

  /** Why the answer is degraded. */
  public Optional<String> reason() {
    return origin == null ? Optional.empty() : Optional.ofNullable(origin.reason());
  }

  /** Every limit's own answer, in the order in which they were asked. */
  public List<Decision> limits() {
    return limits == null ? List.of(this) : limits;
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
    List<Decision> each = limits;
    if (each != null) {
      each = each.stream().map(one -> one.insteadOf(fallback, reason)).toList();
    }
    return new Decision(this, Origin.insteadOf(origin, fallback, reason), each);
  }

  /** This answer to a peek, refused for so long because others wait ahead. */
  Decision refused(long wait) {
    Outcome refused = outcome().copy();
    refused.allowed = false;
    refused.wait = Math.max(1, wait);
    return new Decision(this, refused);
  }

  /** This answer under a tag, if there is one. */
  private Decision in(@Nullable String tag) {
    return tag == null ? this : new Decision(this, Origin.in(origin, tag), limits);
  }

  /** The wait in microseconds. What was allowed as a whole has none, whatever its limits say. */
  long waitMicros() {
    return allowed && (limits != null || outcome == null) ? 0 : outcome().wait;
  }

  /** When the key is as good as new: empty if it is already, {@link Instant#MAX} for never. */
  Optional<Instant> expiresAt() {
    long moment = outcome().resetAt;
    if (moment >= Algorithm.NEVER) {
      return Optional.of(Instant.MAX);
    }
    return moment <= now ? Optional.empty() : Optional.of(Instant.EPOCH.plus(duration(moment)));
  }

  private static Duration duration(long micros) {
    return micros >= Algorithm.NEVER ? NEVER : Duration.of(micros, ChronoUnit.MICROS);
  }

  /** The answer in one line, for logs. */
  @Override
  public String toString() {
    StringBuilder line = new StringBuilder(allowed ? "allowed" : "denied");
    line.append(" by ").append(limit).append(", ").append(remaining()).append(" left");
    if (!allowed) {
      line.append(neverFits() ? ", never fits" : ", retry in " + retryAfter());
    }
    if (shared) {
      line.append(", shared");
    }
    reason().ifPresent(why -> line.append(", degraded: ").append(why));
    return line.toString();
  }
}
