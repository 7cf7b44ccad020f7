package dev.stint.stall;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.memory.MemoryStore;
import dev.stint.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Has an {@link Error} thrown at every point of every kind of call, one after the other, and looks
 * at the store afterwards. Runs in a copy of Stint, see {@link InstrumentedLoader}.
 */
public final class FailingCaller implements Runnable {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final long GREAT = 1L << 35;

  private static final Limit BUCKET = Limit.tokenBucket(10, MINUTE);
  private static final Limit WINDOW = Limit.fixedWindow(10, MINUTE);
  private static final Limit WIDE = Limit.fixedWindowPerKey(1_000_000, MINUTE);
  private static final Limit LOG = Limit.slidingLog(10, MINUTE);
  private static final Limit COUNTER = Limit.slidingCounter(10, MINUTE);
  private static final Limit BOXED = Limit.slidingCounter(8 * GREAT, Duration.ofMillis(1));
  private static final Limit QUOTA = Limit.quota(10);

  /**
   * One kind of call.
   *
   * @param before what happens first, without errors
   * @param call what is cut short by an error
   * @param places which counts may have changed by it
   */
  private record Scene(
      String name,
      long maxKeys,
      Consumer<World> before,
      Consumer<World> call,
      List<KeyedLimit> places) {}

  /** A store of one run. */
  private static final class World {
    final ManualTime time = ManualTime.create();
    final MemoryStore store;
    final RateLimiter limiter;
    Decision decision;

    World(long maxKeys) {
      store = MemoryStore.builder().time(time).maxKeys(maxKeys).cleanPeriod(Duration.ZERO).build();
      limiter = RateLimiter.of(store);
    }

    /** The units in use now and at moments to come, at some of which entries of a log expire. */
    List<Long> future(KeyedLimit place) {
      long start = time.micros();
      long window = place.limit().kind() == Limit.Kind.QUOTA ? 1 : micros(place.limit().window());
      List<Long> used = new ArrayList<>();
      for (long later : new long[] {0, window / 2, window - 30, window - 20, window - 10, window}) {
        time.setMicros(start + Math.max(0, later));
        used.add(limiter.get(place));
      }
      time.setMicros(start);
      return used;
    }

    private static long micros(Duration duration) {
      return duration.toNanos() / 1000;
    }
  }

  private static Scene scene(
      String name, Consumer<World> before, Consumer<World> call, KeyedLimit... places) {
    return new Scene(name, 1000, before, call, List.of(places));
  }

  private static List<Scene> scenes() {
    List<Scene> scenes = new ArrayList<>();
    List<Limit> limits =
        List.of(
            BUCKET,
            WINDOW,
            WIDE,
            LOG,
            COUNTER,
            BOXED,
            QUOTA,
            BUCKET.countingDenied(),
            LOG.countingDenied());
    for (Limit limit : limits) {
      long most = limit.capacity();
      KeyedLimit place = limit.on("k");
      KeyedLimit some = place.cost(Math.max(1, most / 4));
      Consumer<World> none = w -> {};
      Consumer<World> once = w -> w.limiter.hit(some);
      Consumer<World> thrice =
          w -> {
            for (int i = 0; i < 3; i++) {
              w.limiter.hit(some);
              w.time.advanceMicros(10);
            }
          };
      scenes.add(scene("first hit, " + limit, none, once, place));
      scenes.add(scene("first peek, " + limit, none, w -> w.limiter.peek(place), place));
      scenes.add(scene("second hit, " + limit, once, once, place));
      scenes.add(scene("fourth hit, " + limit, thrice, w -> w.limiter.hit(place), place));
      scenes.add(
          scene("denied hit, " + limit, thrice, w -> w.limiter.hit(place.cost(most)), place));
      scenes.add(scene("inc, " + limit, thrice, w -> w.limiter.inc(place.cost(most)), place));
      scenes.add(scene("refund, " + limit, thrice, w -> w.limiter.refund(some), place));
      scenes.add(scene("set, " + limit, thrice, w -> w.limiter.set(place, 2), place));
      scenes.add(scene("reset, " + limit, thrice, w -> w.limiter.reset(place), place));
      scenes.add(scene("get, " + limit, thrice, w -> w.limiter.get(place), place));
      scenes.add(
          scene(
              "undo, " + limit,
              w -> {
                w.limiter.hit(some);
                w.time.advanceMicros(10);
                w.decision = w.limiter.hit(some);
                w.time.advanceMicros(10);
                w.limiter.hit(place);
              },
              w -> w.limiter.refund(w.decision),
              place));
      scenes.add(
          scene(
              "hit after the clock stepped back, " + limit,
              thrice.andThen(w -> w.time.setMicros(w.time.micros() - 3_600_000_000L)),
              once,
              place));
      scenes.add(
          scene(
              "sweep, " + limit,
              thrice.andThen(w -> w.time.advance(Duration.ofMinutes(3))),
              w -> w.store.clean(),
              place));
      scenes.add(scene("trim, " + limit, thrice, w -> w.store.clean(), place));
      scenes.add(
          new Scene(
              "hit of a new key in a full store, " + limit,
              2,
              w -> {
                w.limiter.hit(limit.on("a"));
                w.limiter.hit(limit.on("b"));
              },
              once,
              List.of(place)));
      scenes.add(
          new Scene(
              "hit of a key in a cell, " + limit,
              2,
              w -> {
                w.limiter.hit(limit.on("a"));
                w.limiter.hit(limit.on("b"));
                w.limiter.hit(place);
              },
              once,
              List.of(place)));
    }
    scenes.add(
        scene(
            "joint hit",
            w -> {
              w.limiter.hit(LOG.on("l"));
              w.limiter.hit(BUCKET.on("b"));
              w.limiter.hit(WIDE.on("w").cost(100_000));
            },
            w ->
                w.limiter.hit(
                    LOG.on("l").cost(2),
                    BUCKET.on("b"),
                    WIDE.on("w"),
                    COUNTER.on("new"),
                    LOG.on("n")),
            LOG.on("l"),
            BUCKET.on("b"),
            WIDE.on("w"),
            COUNTER.on("new"),
            LOG.on("n")));
    Consumer<World> narrow =
        w -> {
          w.limiter.hit(BUCKET.on("k").cost(3));
          w.limiter.hit(WINDOW.on("k").cost(2));
          w.limiter.hit(COUNTER.on("other"));
        };
    for (long cost : new long[] {1, 9}) {
      scenes.add(
          scene(
              cost == 1 ? "joint hit in one word each" : "denied joint hit in one word each",
              narrow,
              w ->
                  w.limiter.hit(
                      BUCKET.on("k"), WINDOW.on("k").cost(cost), COUNTER.on("other").cost(2)),
              BUCKET.on("k"),
              WINDOW.on("k"),
              COUNTER.on("other")));
    }
    scenes.add(
        scene(
            "growth of the table",
            w -> {},
            w -> {
              for (int i = 0; i < 50; i++) {
                w.limiter.hit(LOG.on(i), BUCKET.on(i));
              }
            },
            IntStream.range(0, 50)
                .mapToObj(i -> (i % 2 == 0 ? LOG : BUCKET).on(i))
                .toArray(KeyedLimit[]::new)));
    return scenes;
  }

  @Override
  public void run() {
    long errors = 0;
    for (Scene scene : scenes()) {
      errors += play(scene);
    }
    System.out.printf(
        "Errors: %,d thrown inside calls of %d kinds, none left anything behind%n",
        errors, scenes().size());
  }

  private static long play(Scene scene) {
    int stride = scene.places().size() > 10 ? 7 : 1; // in many calls alike
    for (int point = 0; ; point += stride) {
      World world = new World(scene.maxKeys());
      scene.before().accept(world);
      boolean reached = isCutShort(scene, world, point);
      try {
        check(scene, world, reached);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(scene.name() + ", error at point " + point, e);
      }
      if (!reached) {
        return point / stride;
      }
    }
  }

  /** Whether the call reached this point, and died there. */
  private static boolean isCutShort(Scene scene, World world, int point) {
    int[] left = {point};
    try {
      Points.during(
          () -> scene.call().accept(world),
          release -> {
            if (!release && left[0]-- == 0) {
              throw new InjectedError();
            }
          });
      return false;
    } catch (InjectedError e) {
      return true;
    }
  }

  /** No other caller waits; counts are those of before or after; nothing is lost or kept. */
  private static void check(Scene scene, World world, boolean reached) {
    promptly(
        () -> {
          checkCounts(scene, world, reached);
          checkNothingIsKept(scene, world);
          return null;
        });
  }

  private static void checkCounts(Scene scene, World world, boolean reached) {
    World untouched = new World(scene.maxKeys());
    scene.before().accept(untouched);
    World complete = new World(scene.maxKeys());
    scene.before().accept(complete);
    scene.call().accept(complete);
    for (KeyedLimit place : scene.places()) {
      List<Long> used = world.future(place);
      List<Long> ended = complete.future(place);
      List<Long> begun = untouched.future(place);
      if (!used.equals(ended) && !(reached && used.equals(begun))) {
        throw new AssertionError(
            "used now and later must be %s or %s: %s".formatted(begun, ended, used));
      }
    }
  }

  private static void checkNothingIsKept(Scene scene, World world) {
    for (int i = 0; i < 40; i++) { // every segment's lock can be had
      world.limiter.hit(WINDOW.on(1000 + i));
    }
    for (KeyedLimit place : scene.places()) {
      world.limiter.hit(place);
      world.limiter.reset(place);
      world.limiter.reset(place.limit().on("a"));
      world.limiter.reset(place.limit().on("b"));
    }
    world.time.advance(Duration.ofDays(1000));
    world.store.clean();
    String left =
        world.store.keys() + " " + world.store.overflowCells() + " " + world.store.logEntries();
    if (!left.equals("0 0 0")) {
      throw new AssertionError("keys, cells and log entries must all be 0: " + left);
    }
  }

  private static final ExecutorService OTHER_CALLER =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "other caller");
            thread.setDaemon(true);
            return thread;
          });

  /** Has another thread look, which must not have to wait. */
  private static void promptly(Callable<?> look) {
    try {
      OTHER_CALLER.submit(look).get(10, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("another caller must not wait", e);
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  private static final class InjectedError extends Error {
    private static final long serialVersionUID = 1;

    InjectedError() {
      super("injected", null, false, false);
    }
  }
}
