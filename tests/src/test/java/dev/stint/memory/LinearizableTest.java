package dev.stint.memory;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.stint.Limit;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Options;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Whatever threads do to the store at once, they get the answers that one thread could have had,
 * doing the same in some order. Lincheck makes the threads' programs up and the schedules too.
 */
class LinearizableTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final long MINUTE_MICROS = 60_000_000;

  // ---- The scenes: rows in a crowded segment ----

  /** One word a state, which a compare-and-set swaps; the first key has just expired. */
  public static class Bucket extends CrowdedScene {
    static final Setting SETTING = Setting.justExpired(Limit.tokenBucket(3, MINUTE), 1);

    public Bucket() {
      super(SETTING);
    }
  }

  /** The specification of {@link Bucket}. */
  public static class BucketCounts extends Counts {
    public BucketCounts() {
      super(Bucket.SETTING);
    }
  }

  /** Fractions of a microsecond of which some fit one word and some do not. */
  public static class FineBucket extends CrowdedScene {
    static final Setting SETTING =
        Setting.of(Limit.tokenBucket(100_003, MINUTE).burst(4), 1, 3, 500, 3);

    public FineBucket() {
      super(SETTING);
    }
  }

  /** The specification of {@link FineBucket}. */
  public static class FineBucketCounts extends Counts {
    public FineBucketCounts() {
      super(FineBucket.SETTING);
    }
  }

  /** Counts that fit one word up to 32,767. */
  public static class Window extends CrowdedScene {
    static final Setting SETTING =
        Setting.justExpired(Limit.fixedWindowPerKey(60_000, MINUTE), 20_000);

    public Window() {
      super(SETTING);
    }
  }

  /** The specification of {@link Window}. */
  public static class WindowCounts extends Counts {
    public WindowCounts() {
      super(Window.SETTING);
    }
  }

  /**
   * Two counts that fit one word up to 127 and 255; the window has just become the previous one.
   */
  public static class Counter extends CrowdedScene {
    static final Setting SETTING =
        Setting.of(Limit.slidingCounter(300, MINUTE), 64, 100, MINUTE_MICROS, 100);

    public Counter() {
      super(SETTING);
    }
  }

  /** The specification of {@link Counter}. */
  public static class CounterCounts extends Counts {
    public CounterCounts() {
      super(Counter.SETTING);
    }
  }

  /** Two counts of which two words hold 36 bits each, and an object beside the row the rest. */
  public static class GreatCounter extends CrowdedScene {
    static final long UNIT = 1L << 35;
    static final Setting SETTING =
        Setting.of(
            Limit.slidingCounter(8 * UNIT, Duration.ofMillis(1)), UNIT, 3 * UNIT, 1000, 3 * UNIT);

    public GreatCounter() {
      super(SETTING);
    }
  }

  /** The specification of {@link GreatCounter}. */
  public static class GreatCounterCounts extends Counts {
    public GreatCounterCounts() {
      super(GreatCounter.SETTING);
    }
  }

  /** An object beside the row, always. */
  public static class Log extends CrowdedScene {
    static final Setting SETTING =
        Setting.of(Limit.slidingLog(4, MINUTE), 1, 2, MINUTE_MICROS / 2, 2);

    public Log() {
      super(SETTING);
    }
  }

  /** The specification of {@link Log}. */
  public static class LogCounts extends Counts {
    public LogCounts() {
      super(Log.SETTING);
    }
  }

  /** A log that is forgotten while somebody writes to it. */
  public static class ExpiredLog extends CrowdedScene {
    static final Setting SETTING = Setting.justExpired(Limit.slidingLog(3, MINUTE), 1);

    public ExpiredLog() {
      super(SETTING);
    }
  }

  /** The specification of {@link ExpiredLog}. */
  public static class ExpiredLogCounts extends Counts {
    public ExpiredLogCounts() {
      super(ExpiredLog.SETTING);
    }
  }

  // ---- The scenes: rows and cells of a full store ----

  /** A row has become free; the first key is in a cell that still counts, and stays there. */
  public static class LiveCell extends FullScene {
    static final Setting SETTING =
        Setting.of(Limit.tokenBucket(3, MINUTE), 1, 2, MINUTE_MICROS / 3, 1);

    public LiveCell() {
      super(SETTING, 6, 1);
    }
  }

  /** The specification of {@link LiveCell}. */
  public static class LiveCellCounts extends Counts {
    public LiveCellCounts() {
      super(LiveCell.SETTING);
    }
  }

  /** All rows and the first key's cell have just expired. */
  public static class ExpiredCell extends FullScene {
    static final Setting SETTING = Setting.justExpired(Limit.fixedWindowPerKey(3, MINUTE), 1);

    public ExpiredCell() {
      super(SETTING, 1, 1);
    }
  }

  /** The specification of {@link ExpiredCell}. */
  public static class ExpiredCellCounts extends Counts {
    public ExpiredCellCounts() {
      super(ExpiredCell.SETTING);
    }
  }

  /** Cells that hold logs, and no row to be had but one that somebody leaves. */
  public static class LogCell extends FullScene {
    static final Setting SETTING =
        Setting.of(Limit.slidingLog(3, MINUTE), 1, 1, MINUTE_MICROS / 2, 1);

    public LogCell() {
      super(SETTING, 1, 1);
    }
  }

  /** The specification of {@link LogCell}. */
  public static class LogCellCounts extends Counts {
    public LogCellCounts() {
      super(LogCell.SETTING);
    }
  }

  // ---- The tests ----

  private record Play(Class<? extends Scene> scene, Class<? extends Counts> counts) {}

  private static final List<Play> PLAYS =
      List.of(
          new Play(Bucket.class, BucketCounts.class),
          new Play(FineBucket.class, FineBucketCounts.class),
          new Play(Window.class, WindowCounts.class),
          new Play(Counter.class, CounterCounts.class),
          new Play(GreatCounter.class, GreatCounterCounts.class),
          new Play(Log.class, LogCounts.class),
          new Play(ExpiredLog.class, ExpiredLogCounts.class),
          new Play(LiveCell.class, LiveCellCounts.class),
          new Play(ExpiredCell.class, ExpiredCellCounts.class),
          new Play(LogCell.class, LogCellCounts.class));

  @TestFactory
  Stream<DynamicTest> answers_are_those_of_one_thread_when_a_checker_schedules_the_threads() {
    return played(() -> schedules().iterations(3).invocationsPerIteration(60));
  }

  @TestFactory
  @Tag("nightly")
  Stream<DynamicTest> answers_are_those_of_one_thread_in_a_night_of_schedules() {
    return played(() -> schedules().iterations(100).invocationsPerIteration(2_000));
  }

  @TestFactory
  Stream<DynamicTest> answers_are_those_of_one_thread_when_the_machine_schedules_the_threads() {
    return played(() -> new StressOptions().iterations(5).invocationsPerIteration(300));
  }

  @TestFactory
  @Tag("nightly")
  Stream<DynamicTest> answers_are_those_of_one_thread_in_a_night_of_stress() {
    return played(() -> new StressOptions().iterations(50).invocationsPerIteration(10_000));
  }

  /**
   * Schedules that switch threads between any two steps on shared memory. What is pure arithmetic
   * counts as no step, and what happens before the threads start neither.
   */
  private static ModelCheckingOptions schedules() {
    return new ModelCheckingOptions()
        .loopBound(2_000)
        .addGuarantee(
            ManagedStrategyGuaranteeKt.forClasses(
                    "dev.stint.Decision",
                    "dev.stint.Fingerprint",
                    "dev.stint.Key",
                    "dev.stint.KeyedLimit",
                    "dev.stint.Limit",
                    "dev.stint.algorithm.Evaluation",
                    "dev.stint.algorithm.Operation",
                    "dev.stint.algorithm.Outcome",
                    "dev.stint.algorithm.State",
                    "dev.stint.memory.Clock",
                    "dev.stint.memory.SteppingTime",
                    "dev.stint.memory.Clock$Reading",
                    "dev.stint.memory.LogBudget",
                    "dev.stint.memory.Partition",
                    "dev.stint.memory.Partitions",
                    "dev.stint.memory.PreparedLimits",
                    "dev.stint.memory.Seat",
                    "dev.stint.memory.StackProbe",
                    "dev.stint.memory.Setting")
                .allMethods()
                .ignore())
        .addGuarantee(
            ManagedStrategyGuaranteeKt.forClasses("dev.stint.memory.Packing")
                .methods(
                    "decide",
                    "expiry",
                    "first",
                    "isAllowed",
                    "isBoxed",
                    "isNarrow",
                    "isSeat",
                    "isState",
                    "narrowExpiry",
                    "box",
                    "numberOf",
                    "previousOf",
                    "second",
                    "seat",
                    "seatOf",
                    "stateOf")
                .ignore())
        .addGuarantee(
            ManagedStrategyGuaranteeKt.forClasses(
                    "dev.stint.memory.CrowdedScene",
                    "dev.stint.memory.FullScene",
                    "dev.stint.memory.MemoryStore",
                    "dev.stint.memory.Scene",
                    "dev.stint.memory.Segment",
                    "dev.stint.memory.Table",
                    "dev.stint.memory.WarmUp")
                .methods("<init>", "<clinit>", "ensure")
                .ignore());
  }

  private static Stream<DynamicTest> played(Supplier<? extends Options<?, ?>> options) {
    return PLAYS.stream()
        .map(
            play ->
                dynamicTest(
                    play.scene().getSimpleName(),
                    () ->
                        options
                            .get()
                            .threads(2)
                            .actorsPerThread(2)
                            // Or the limit would be used up before the threads start.
                            .actorsBefore(0)
                            .actorsAfter(0)
                            .sequentialSpecification(play.counts())
                            .check(play.scene())));
  }
}
