package dev.stint.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Store;
import dev.stint.memory.MemoryStore;
import dev.stint.model.Terms.Kind;
import dev.stint.testkit.ManualTime;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * The memory store against the model, over random traces.
 *
 * <p>{@code -Dstint.model.steps=n} says how many steps to take, {@code -Dstint.seed=n} where to
 * begin; a failure names the seed of the trace that failed, which as {@code stint.seed} comes
 * first.
 */
class ModelTest {

  private static Store memory(ManualTime time) {
    return MemoryStore.builder().time(time).cleanPeriod(Duration.ZERO).build();
  }

  @Test
  void the_memory_store_answers_as_the_model_does() throws Exception {
    long wanted = Long.getLong("stint.model.steps", 2_000_000);
    long seed = Long.getLong("stint.seed", new SplittableRandom().nextLong(1_000_000_000_000L));
    Map<Kind, Long> stepsOf = new EnumMap<>(Kind.class);
    long steps = 0;
    long onPromise = 0;
    long traces = 0;
    long begin = System.nanoTime();
    while (steps < wanted) {
      Trace trace = new Trace(seed + traces, ModelTest::memory);
      trace.run();
      steps += trace.steps();
      onPromise += trace.stepsOnPromise();
      stepsOf.merge(Trace.leadingKind(seed + traces), trace.steps(), Long::sum);
      traces++;
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    System.out.printf(
        "Model: %,d steps in %,d traces from seed %d, %d %% on a promised moment, %.1f s, no difference; %s%n",
        steps, traces, seed, 100 * onPromise / steps, seconds, stepsOf);
    assertThat(steps).isGreaterThanOrEqualTo(wanted);
    if (wanted >= 1_000_000) {
      assertThat(100 * onPromise / steps)
          .as("per cent of steps on promised moments")
          .isBetween(23L, 35L);
      assertThat(stepsOf.values()).as("steps of each algorithm").allMatch(n -> n > wanted / 10);
    }
  }
}
