package dev.stint.testkit;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.stint.Store;
import dev.stint.TimeSource;
import dev.stint.testkit.Replay.Manner;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * What every store must hold, as a JUnit class to extend.
 *
 * <pre>{@code
 * class MyStoreTest extends StoreContract {
 *   @Override
 *   protected Store store(TimeSource time) {
 *     return new MyStore(time);
 *   }
 * }
 * }</pre>
 *
 * <p>It replays all {@linkplain Timeline#packaged() timelines of Stint} and adds what a timeline
 * cannot say: odd keys, bad calls, waiting, and many threads at once. No two tests use the same
 * keys, so all may run against one server.
 */
public abstract class StoreContract
    implements KeyRules,
        CostRules,
        CallRules,
        ClockRules,
        WaitingRules,
        WaitingOrderRules,
        ConcurrencyRules {

  private @Nullable Bench bench;

  /**
   * A store that decides by this clock. It is closed after the test. A store that sweeps by itself
   * may do so or not: no test can tell.
   */
  protected abstract Store store(TimeSource time);

  /** The threads of the tests that need many. Override it to have others, such as virtual ones. */
  protected ExecutorService threads() {
    return Executors.newCachedThreadPool();
  }

  @Override
  public final Bench bench() {
    Bench present = bench;
    if (present == null) {
      present = new Bench(this::store, this::threads);
      bench = present;
    }
    return present;
  }

  @AfterEach
  final void closeStores() {
    Bench present = bench;
    bench = null;
    if (present != null) {
      present.close();
    }
  }

  @TestFactory
  Stream<DynamicTest> holds_to_the_timelines() {
    return timelines(Manner.OWN);
  }

  @TestFactory
  Stream<DynamicTest> holds_to_the_timelines_with_limits_given_per_call() {
    return timelines(Manner.PER_CALL);
  }

  @TestFactory
  Stream<DynamicTest> holds_to_the_timelines_through_futures() {
    return timelines(Manner.ASYNC);
  }

  private Stream<DynamicTest> timelines(Manner manner) {
    return Timeline.packaged().stream()
        .map(timeline -> dynamicTest(timeline.toString(), () -> replay(timeline, manner)));
  }

  private void replay(Timeline timeline, Manner manner) {
    ManualTime time = ManualTime.create();
    try (Store store = store(time)) {
      timeline.replay(store, time, manner, Bench.freshKey() + "/");
    }
  }
}
