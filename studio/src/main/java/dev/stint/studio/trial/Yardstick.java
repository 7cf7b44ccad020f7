package dev.stint.studio.trial;

import dev.stint.Limit;
import dev.stint.algorithm.Algorithm;
import dev.stint.algorithm.Evaluation;
import dev.stint.algorithm.Log;
import dev.stint.algorithm.State;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What an exact sliding log would have answered, and nothing else of it.
 *
 * <p>It is the library's own algorithm. Only the store is left out for a single limit: keys are
 * numbers here, so that their logs lie in an array, which costs a fraction of finding them.
 */
final class Yardstick implements AutoCloseable {

  private static final int CLEAN_EVERY = 1 << 20;

  private final Algorithm algorithm;
  private final @Nullable Trial several;
  private final State state = new State();
  private @Nullable Log[] logs = new Log[1 << 10];
  private long requests;

  /** The exact logs of these limits, from {@code start} on. */
  Yardstick(Plan exact, long start, long step) {
    Limit first = exact.limits().get(0);
    this.algorithm = first.algorithm();
    this.several =
        exact.limits().size() == 1 && first.kind() == Limit.Kind.SLIDING_LOG
            ? null
            : new Trial(exact, start, step, Trials.COLUMNS);
  }

  boolean allows(long micros, int key, long cost) {
    if (several != null) {
      return several.hit(micros, key, cost);
    }
    if (key >= logs.length) {
      logs = Arrays.copyOf(logs, Math.max(key + 1, logs.length * 2));
    }
    open(key);
    boolean allows =
        Evaluation.hit(algorithm, state, micros, Math.min(cost, Algorithm.MAX_COUNT), true);
    logs[key] = state.log;
    if (++requests % CLEAN_EVERY == 0) {
      clean(micros);
    }
    return allows;
  }

  void allow(Requests some, boolean[] answers) {
    for (int i = 0; i < some.size(); i++) {
      answers[i] = allows(some.micros()[i], some.keys()[i], some.costs()[i]);
    }
  }

  private void open(int key) {
    state.reuse();
    state.log = logs[key];
    state.present = state.log != null;
  }

  private void clean(long now) {
    for (int key = 0; key < logs.length; key++) {
      open(key);
      algorithm.advance(state, now);
      logs[key] = state.log;
    }
  }

  @Override
  public void close() {
    if (several != null) {
      several.close();
    }
  }
}
