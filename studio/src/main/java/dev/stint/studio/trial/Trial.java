package dev.stint.studio.trial;

import dev.stint.Decision;
import dev.stint.Key;
import dev.stint.Limit;
import dev.stint.algorithm.Operation;
import dev.stint.memory.MemoryStore;
import dev.stint.studio.cli.Span;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One plan under requests: a real limiter on a clock of its own, and what it did.
 *
 * <p>Requests come in order of time. Keys are numbers, given out from 0 on, so that what is known
 * of each lies in arrays.
 */
public final class Trial implements AutoCloseable {

  /** For so many refused keys it is remembered when they were refused. */
  private static final int SPARKS = 10_000;

  private static final int SPARK_COLUMNS = 48;
  private static final int CLEAN_EVERY = 1 << 20;

  private final Plan plan;
  private final VirtualTime time;
  private final MemoryStore store;
  private final @Nullable Limit only;
  private final Worst second = new Worst(Span.SECOND);
  private final Worst minute = new Worst(Span.MINUTE);
  private final Timeline admitted;
  private final Timeline refused;
  private final Map<Integer, Timeline> sparks = new HashMap<>();
  private int[] refusedOf = new int[1 << 10];
  private @Nullable Decision last;
  private long requests;
  private long refusals;
  private long keysRefused;
  private long unneeded;
  private long missed;

  /** A trial that begins at {@code start}, with the columns of a {@link Timeline}. */
  public Trial(Plan plan, long start, long step, int columns) {
    this.plan = plan;
    this.time = new VirtualTime(start);
    this.store =
        MemoryStore.builder()
            .time(time)
            .cleanPeriod(Duration.ZERO)
            .maxKeys(1L << 30)
            .logBudget(Long.MAX_VALUE)
            .build();
    this.only = plan.limits().size() == 1 ? plan.limits().get(0) : null;
    this.admitted = new Timeline(start, step, columns);
    this.refused = new Timeline(start, step, columns);
  }

  /** Decides a request. */
  public boolean hit(long micros, int key, long cost) {
    time.moveTo(micros);
    Decision decision = decide(Key.of(key), cost);
    last = decision;
    note(micros, key, cost, decision.allowed());
    return decision.allowed();
  }

  /** As {@link #hit}, told what the exact log made of the same request. */
  public boolean hit(long micros, int key, long cost, boolean exactAllows) {
    boolean allowed = hit(micros, key, cost);
    compare(allowed, exactAllows);
    return allowed;
  }

  /** Decides several requests, and keeps of the answers only whether they were admitted. */
  void hits(Requests some, boolean[] answers) {
    for (int i = 0; i < some.size(); i++) {
      long micros = some.micros()[i];
      int key = some.keys()[i];
      long cost = some.costs()[i];
      time.moveTo(micros);
      answers[i] = decide(Key.of(key), cost).allowed();
      note(micros, key, cost, answers[i]);
    }
  }

  /** Is told what the exact log made of the requests that were answered so. */
  void compare(boolean[] answers, boolean[] exact, int size) {
    for (int i = 0; i < size; i++) {
      compare(answers[i], exact[i]);
    }
  }

  private void note(long micros, int key, long cost, boolean allowed) {
    requests++;
    admitted.add(micros, allowed ? cost : 0);
    refused.add(micros, allowed ? 0 : cost);
    if (allowed) {
      second.add(micros, cost);
      minute.add(micros, cost);
    } else {
      refuse(micros, key, cost);
    }
    if (requests % CLEAN_EVERY == 0) {
      long unused = store.clean();
    }
  }

  private void compare(boolean allowed, boolean exactAllows) {
    if (allowed && !exactAllows) {
      missed++;
    } else if (!allowed && exactAllows) {
      unneeded++;
    }
  }

  private Decision decide(Key key, long cost) {
    return only == null
        ? store.run(
            Operation.HIT, plan.limits().stream().map(limit -> limit.on(key).cost(cost)).toList())
        : store.run(Operation.HIT, only, key, cost);
  }

  private void refuse(long micros, int key, long cost) {
    refusals++;
    if (key >= refusedOf.length) {
      refusedOf = Arrays.copyOf(refusedOf, Math.max(key + 1, refusedOf.length * 2));
    }
    if (refusedOf[key]++ == 0) {
      keysRefused++;
      if (sparks.size() < SPARKS) {
        sparks.put(key, new Timeline(refused.start(), refused.step(), SPARK_COLUMNS));
      }
    }
    Timeline spark = sparks.get(key);
    if (spark != null) {
      spark.add(micros, cost);
    }
  }

  /** The whole answer to the last request; null before the first. */
  public @Nullable Decision last() {
    return last;
  }

  /** What was tried. */
  public Plan plan() {
    return plan;
  }

  /** How many requests were decided. */
  public long requests() {
    return requests;
  }

  /** How many requests were refused. */
  public long refused() {
    return refusals;
  }

  /** How many keys had a request refused. */
  public long keysRefused() {
    return keysRefused;
  }

  /** How often a key was refused. */
  public int refusedOf(int key) {
    return key < refusedOf.length ? refusedOf[key] : 0;
  }

  /** When a key was refused; null if it was not, or if too many were before it. */
  public @Nullable Timeline sparkOf(int key) {
    return sparks.get(key);
  }

  /** Refusals that the exact sliding log would not have made. */
  public long unneeded() {
    return unneeded;
  }

  /** Admissions that the exact sliding log would have refused. */
  public long missed() {
    return missed;
  }

  /** The most that was admitted in any second, of all keys together. */
  public long worstSecond() {
    return second.most();
  }

  /** The most that was admitted in any minute, of all keys together. */
  public long worstMinute() {
    return minute.most();
  }

  /** What was admitted, over time. */
  public Timeline admittedOverTime() {
    return admitted;
  }

  /** What was refused, over time. */
  public Timeline refusedOverTime() {
    return refused;
  }

  @Override
  public void close() {
    store.close();
  }
}
