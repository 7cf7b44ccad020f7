package dev.stint.memory;

import dev.stint.Decision;
import dev.stint.Key;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.Store;
import dev.stint.StoreException;
import dev.stint.TimeSource;
import dev.stint.algorithm.Evaluation;
import dev.stint.algorithm.Operation;
import dev.stint.algorithm.Outcome;
import dev.stint.algorithm.State;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A store in this process's memory: the fastest there is, when one process decides alone.
 *
 * <p>It keeps a keyed fingerprint of each key and 40 to 48 bytes in all, never the key itself, and
 * no more than {@code maxKeys} of them; a key counts once for each limit it is under. State that
 * counts is never evicted. What happens to new keys when all rows are in use, {@link Overflow}
 * says. Expired state is swept up by a daemon thread that ends with the store.
 *
 * <p>{@link dev.stint.RateLimiter#of(Limit...)} makes one with the defaults. Build one yourself to
 * choose its size, to share it between limiters, or to test with a clock of your own.
 */
public final class MemoryStore implements Store {

  private static final String CLOSED = "this store is closed";
  private static final long[] NONE = {};

  private final TimeSource time;
  private final Clock clock;
  private final long maxKeys;
  private final long maxCallKeys;
  private final Packing packing;
  private final PreparedLimits preparedLimits = new PreparedLimits();
  private final Partitions partitions;
  private final List<Table> tables;
  private final Several several;
  private final Seats seats = new Seats();
  private final Single single;
  private final Sweeper sweeper;
  private volatile boolean closed;

  MemoryStore(Builder builder) {
    time = builder.time;
    clock = new Clock(time);
    maxKeys = builder.maxKeys;
    maxCallKeys = builder.callKeys;
    packing = new Packing(time.micros());
    LogBudget budget = new LogBudget(builder.logBudget);
    boolean apart = builder.callKeys > 0;
    LogBudget callBudget = apart ? new LogBudget(Math.max(1, builder.logBudget / 10)) : budget;
    Table rows = new Table(packing, budget, 0, maxKeys, maxKeys);
    Table callRows =
        apart ? new Table(packing, callBudget, 1, builder.callKeys, builder.callKeys) : rows;
    // Prepared limits have their cells whenever they need them, however many limits there are.
    Table cells = new Table(packing, budget, 2, Long.MAX_VALUE, 32 * Placement.CELLS);
    Table callCells = new Table(packing, callBudget, 3, Placement.CALL_CELLS, Placement.CALL_CELLS);
    partitions =
        new Partitions(
            preparedLimits,
            new Partition(rows, cells, "maxKeys"),
            new Partition(callRows, callCells, apart ? "callKeys" : "maxKeys"));
    tables = Stream.of(rows, callRows, cells, callCells).distinct().toList();
    sweeper = new Sweeper(this, builder.cleanPeriod);
    Placement placement = new Placement(tables, builder.overflow);
    Joint joint = new Joint(packing, rows, callRows, placement, clock, sweeper);
    single = new Single(packing, partitions, joint, seats);
    several = new Several(packing, partitions, joint, time, seats);
  }

  /** A store with the defaults. */
  public static MemoryStore create() {
    return builder().build();
  }

  /** The settings of a store to be. */
  public static Builder builder() {
    return new Builder();
  }

  @Override
  public Decision run(Operation operation, Limit limit, Key key, long amount) {
    checkOpen();
    return decide(operation, limit, key, amount);
  }

  private Decision decide(Operation operation, Limit limit, Key key, long amount) {
    // Short enough to be inlined always, see Single.
    Store.check(operation, limit, key, amount);
    long micros = time.micros();
    long now = clock.follow(limit, micros);
    long answer = single.run(operation, limit, key.value(), key.number(), amount, now, micros);
    boolean allowed = Packing.isAllowed(answer);
    boolean shared = false;
    Outcome outcome = null;
    long resetAt = packing.narrowExpiry(answer);
    long number = Packing.numberOf(answer);
    long previous = Packing.previousOf(answer);
    long wait = 0;
    if (Packing.isSeat(answer)) {
      int place = Packing.seatOf(answer);
      // No finally block, which would make this too long to be inlined: these calls are shallower
      // than what the stack was probed for, and allocate nothing.
      Seat seat = seats.get(place);
      allowed = seat.outcome.allowed;
      shared = seat.shared;
      outcome = seat.unkept;
      now = seat.outcome.now;
      resetAt = seat.outcome.resetAt;
      number = seat.outcome.number;
      previous = seat.outcome.previous;
      wait = seat.outcome.wait;
      seats.giveBack(place);
    }
    boolean take = operation == Operation.HIT;
    return Decision.of(
        limit, key, allowed, shared, outcome, now, amount, take, resetAt, number, previous, wait);
  }

  /** A store in memory cannot fail to answer a hit or a peek until it is closed. */
  @Override
  public Decision ask(Operation operation, Limit limit, Key key, long cost) {
    return closed
        ? Store.super.ask(operation, limit, key, cost)
        : decide(operation, limit, key, cost);
  }

  /** No object is made for a narrow state, whatever the compiler sees of it. */
  @Override
  public void ask(
      Operation operation, Limit limit, Key key, long cost, Outcome told, State scratch) {
    if (closed) {
      Store.super.ask(operation, limit, key, cost, told, scratch);
      return;
    }
    Store.check(operation, limit, key, cost);
    long micros = time.micros();
    long now = clock.follow(limit, micros);
    long answer = single.run(operation, limit, key.value(), key.number(), cost, now, micros);
    if (Packing.isSeat(answer)) {
      int place = Packing.seatOf(answer);
      try {
        seats.get(place).outcome.copyTo(told);
      } finally {
        seats.giveBack(place);
      }
    } else {
      Evaluation.describe(
          limit.algorithm(),
          scratch,
          now,
          cost,
          operation == Operation.HIT,
          Packing.isAllowed(answer),
          packing.narrowExpiry(answer),
          Packing.numberOf(answer),
          Packing.previousOf(answer),
          0,
          told);
    }
  }

  @Override
  public Decision run(Operation operation, List<KeyedLimit> limits) {
    Store.check(operation, limits);
    checkOpen();
    KeyedLimit first = limits.get(0);
    if (limits.size() == 1 && !first.isShadow() && operation != Operation.UNDO) {
      Decision answer = decide(operation, first.limit(), first.key(), first.cost());
      return first.tag() == null ? answer : Decision.of(limits, List.of(answer));
    }
    KeyedLimit[] asked = limits.toArray(KeyedLimit[]::new);
    long micros = time.micros();
    Object answers = several.run(operation, asked, micros);
    return answers instanceof Decision[] each
        ? Decision.of(List.of(asked), List.of(each))
        : Decision.of(asked, operation == Operation.HIT, micros, (long[]) answers);
  }

  @Override
  public Decision askAll(Operation operation, List<Limit> limits, Key key, long cost) {
    return closed
        ? Store.super.askAll(operation, limits, key, cost)
        : decide(operation, limits, key, cost);
  }

  private Decision decide(Operation operation, List<Limit> limits, Key key, long cost) {
    Store.checkAll(operation, limits, key, cost);
    long micros = time.micros();
    Object answers = several.run(operation, limits, key.value(), key.number(), cost, micros);
    Decision[] each = answers instanceof Decision[] known ? known : null;
    long[] numbers = answers instanceof long[] known ? known : NONE;
    boolean take = operation == Operation.HIT;
    return Decision.of(limits, key, cost, take, micros, numbers, each);
  }

  @Override
  public long clean() {
    checkOpen();
    long forgotten = 0;
    for (int step = 0; step < sweepSteps(); step++) {
      forgotten += sweep(step);
    }
    return forgotten;
  }

  int sweepSteps() {
    int steps = 0;
    for (Table table : tables) {
      steps += table.sweepSteps();
    }
    return steps;
  }

  long sweep(int step) {
    int rest = step;
    for (Table table : tables) {
      if (rest < table.sweepSteps()) {
        return table.sweep(rest, clock.read(), true);
      }
      rest -= table.sweepSteps();
    }
    return 0;
  }

  /** Counts these limits apart from all limits that are given in calls. */
  @Override
  public void prepare(Collection<Limit> limits) {
    preparedLimits.addAll(limits);
  }

  @Override
  public boolean keepsKeys() {
    return false;
  }

  @Override
  public TimeSource time() {
    return time;
  }

  /** How many states are remembered now: one for each key and limit. */
  public long keys() {
    return closed ? 0 : partitions.prepared().rows().size() + callKeys();
  }

  /**
   * The most states that are remembered in rows of their own, without those that {@link
   * Builder#callKeys} adds.
   */
  public long maxKeys() {
    return maxKeys;
  }

  /** How many of the {@link #keys} use rows set aside for limits that are given in calls. */
  public long callKeys() {
    return maxCallKeys == 0 ? 0 : partitions.given().rows().size();
  }

  /**
   * How many rows are set aside for limits that are given in calls, see {@link Builder#callKeys}.
   */
  public long maxCallKeys() {
    return maxCallKeys;
  }

  /**
   * How many overflow cells are in use: zero unless the store is full, or its log budget spent, or
   * was a moment ago.
   */
  public long overflowCells() {
    return partitions.prepared().cells().size() + partitions.given().cells().size();
  }

  /** How many entries the sliding logs have room for now, see {@link Builder#logBudget}. */
  public long logEntries() {
    return tables.stream().map(Table::logBudget).distinct().mapToLong(LogBudget::rented).sum();
  }

  @Override
  public Optional<String> trouble() {
    return closed ? Optional.of(CLOSED) : Optional.empty();
  }

  /** Ends the sweep and forgets what was counted. What is asked of it afterwards fails. */
  @Override
  public void close() {
    closed = true;
    sweeper.stop();
    tables.forEach(Table::clear);
  }

  private void checkOpen() {
    if (closed) {
      throw new StoreException(CLOSED);
    }
  }

  /** The settings of a store to be; each has a default. */
  public static final class Builder {

    private static final long MOST_KEYS = 1L << 30;

    private TimeSource time = TimeSource.system();
    private long maxKeys = 1_000_000;
    private long callKeys;
    private Overflow overflow = Overflow.SHARE;
    private Duration cleanPeriod = Duration.ofMinutes(1);
    private long logBudget = Math.max(1_000_000, Runtime.getRuntime().maxMemory() / 64);

    private Builder() {}

    /** The most keys to remember, each once for every limit it is under. Default: 1,000,000. */
    public Builder maxKeys(long maxKeys) {
      if (maxKeys < 1 || maxKeys > MOST_KEYS) {
        throw new IllegalArgumentException(
            "maxKeys must be from 1 to " + MOST_KEYS + ": " + maxKeys);
      }
      this.maxKeys = maxKeys;
      return this;
    }

    /**
     * Sets rows aside for limits that are given in calls, so that those cannot use up the rows of
     * the limits that limiters were {@linkplain Store#prepare made with}; they have a tenth of the
     * {@link #logBudget} in addition to it. Default: 0, all limits use the same rows.
     *
     * <p>Set it where callers choose the limits they are counted under.
     */
    public Builder callKeys(long callKeys) {
      if (callKeys < 0 || callKeys > MOST_KEYS) {
        throw new IllegalArgumentException(
            "callKeys must be from 0 to " + MOST_KEYS + ": " + callKeys);
      }
      this.callKeys = callKeys;
      return this;
    }

    /** What happens to new keys when all rows are in use. Default: {@link Overflow#SHARE}. */
    public Builder overflow(Overflow overflow) {
      this.overflow = required(overflow, "overflow");
      return this;
    }

    /** How often expired state is swept up; zero for never by itself. Default: a minute. */
    public Builder cleanPeriod(Duration cleanPeriod) {
      if (required(cleanPeriod, "cleanPeriod").isNegative()) {
        throw new IllegalArgumentException("cleanPeriod must be zero or longer: " + cleanPeriod);
      }
      this.cleanPeriod = cleanPeriod;
      return this;
    }

    /** The clock. Default: {@link TimeSource#system()}. */
    public Builder time(TimeSource time) {
      this.time = required(time, "time");
      return this;
    }

    /**
     * The most entries that the sliding logs of all keys have room for; one is eight bytes, or
     * sixteen in windows of 50 days and more. When it is spent, a new key of a log is treated as
     * {@link #overflow} says, and a log that is filled merges its next hit into its newest entry,
     * which may hold that key back for up to a window longer. Default: an eighth of the heap, and a
     * million entries at least.
     */
    public Builder logBudget(long entries) {
      if (entries < 1) {
        throw new IllegalArgumentException("logBudget must be at least 1: " + entries);
      }
      this.logBudget = entries;
      return this;
    }

    /** The store. */
    public MemoryStore build() {
      WarmUp.ensure();
      return new MemoryStore(this);
    }

    private static <T> T required(@Nullable T setting, String name) {
      if (setting == null) {
        throw new IllegalArgumentException(name + " must not be null");
      }
      return setting;
    }
  }
}
