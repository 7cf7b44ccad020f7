package dev.stint.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.memory.MemoryStore;
import dev.stint.model.Terms.Kind;
import dev.stint.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A log of a million entries, each of one unit at a time of its own, against the model. */
class LongLogTest {
  private static final Terms MILLION_AN_HOUR =
      Terms.of(Kind.SLIDING_LOG, 1_000_000, 3_600_000_000L);

  private static final long SEED = 1_000_000;

  @Test
  void a_log_of_a_million_entries_answers_as_the_model_does() throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    ManualTime time = ManualTime.at(Instant.parse("2024-02-29T12:34:56.789012Z"));
    try (MemoryStore store = MemoryStore.builder().time(time).cleanPeriod(Duration.ZERO).build()) {
      Pair pair = new Pair(time, store, new History(SEED), List.of(MILLION_AN_HOUR));
      for (int i = 0; i < 1_000_000; i++) {
        time.setMicros(time.micros() + random.nextLong(1, 3_000));
        pair.ask("a", 1, true);
      }
      Answer full = pair.ask("a", 1, false).answer();
      assertThat(full.decider().used()).isEqualTo(1_000_000);
      for (int i = 0; i < 20_000; i++) {
        Answer answer = pair.ask("a", random.nextLong(1, 200), true).answer();
        long early = random.nextLong(2);
        time.setMicros(time.micros() + Math.max(0, answer.retryAfter() - early));
        if (random.nextInt(10) == 0) {
          pair.refund("a", random.nextLong(1, 2_000));
        }
      }
    }
  }
}
