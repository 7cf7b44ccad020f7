package dev.stint.stall;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.memory.MemoryStore;
import dev.stint.testkit.ManualTime;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Stalls one caller at every point of its call, one after the other, while another one goes on and
 * time passes. What all of them were told must be what one thread would have been told, making the
 * same calls in some order, each at a time that the clock showed during that call; and not at one
 * from which the store would conclude that the clock stepped back by more than a window.
 *
 * <p>Runs in a copy of Stint, see {@link InstrumentedLoader}.
 */
public final class StalledCaller implements Runnable {

  private static final long WINDOW = 1000;
  private static final Duration WINDOW_LENGTH = Duration.of(WINDOW, ChronoUnit.MICROS);
  private static final long GREAT = 3L << 36;

  /** How long the other caller may take before it is taken to wait for the stalled one. */
  private static final long PATIENCE_MILLIS = 3;

  /** Every so many points are tried, beginning with another one each time. */
  private static final int STRIDE = Integer.getInteger("stint.stall.stride", 5);

  /** A call and the time that passes before it. */
  private record Step(long pass, Function<World, String> call) {}

  /**
   * What happens around the stalled call.
   *
   * @param before calls that are over when it begins
   * @param meanwhile calls that begin after it has begun
   * @param after calls that begin when all others are over
   */
  private record Scene(String name, List<Step> before, List<Step> meanwhile, List<Step> after) {}

  private record Call(String name, Function<World, String> call) {}

  private static final class World {
    final ManualTime time = ManualTime.create();
    final MemoryStore store =
        MemoryStore.builder().time(time).maxKeys(1000).cleanPeriod(Duration.ZERO).build();
    final RateLimiter limiter = RateLimiter.of(store);

    String run(Step step) {
      time.advanceMicros(step.pass());
      return step.call().apply(this);
    }
  }

  private final ExecutorService stalledThread = daemon("stalled caller");
  private final ExecutorService otherThread = daemon("other caller");
  private long runs;
  private long waits;

  private static ExecutorService daemon(String name) {
    return Executors.newSingleThreadExecutor(
        task -> {
          Thread thread = new Thread(task, name);
          thread.setDaemon(true);
          return thread;
        });
  }

  @Override
  public void run() {
    int kinds = 0;
    for (Limit limit : limits()) {
      for (Scene scene : scenes(limit)) {
        for (Call call : calls(limit)) {
          play(limit, scene, call);
          kinds++;
        }
      }
    }
    System.out.printf(
        "Stalls: %,d calls of %d kinds stalled, each at another point; in %,d the other caller had"
            + " to wait; all are as one thread's%n",
        runs, kinds, waits);
  }

  // ---- What is tried ----

  private static List<Limit> limits() {
    return List.of(
        Limit.tokenBucket(4, WINDOW_LENGTH),
        Limit.fixedWindow(4, WINDOW_LENGTH),
        Limit.fixedWindowPerKey(4, WINDOW_LENGTH),
        Limit.slidingLog(4, WINDOW_LENGTH),
        Limit.slidingCounter(4, WINDOW_LENGTH),
        Limit.slidingCounter(4 * GREAT, WINDOW_LENGTH),
        Limit.quota(4),
        Limit.tokenBucket(4, WINDOW_LENGTH).countingDenied(),
        Limit.slidingLog(4, WINDOW_LENGTH).countingDenied());
  }

  private static Function<World, String> hit(KeyedLimit... places) {
    return world -> told(world.limiter.hit(places));
  }

  private static String told(Decision decision) {
    return decision.limits().stream()
        .map(one -> one.used() + " used " + one.remaining() + " left")
        .collect(Collectors.joining(", ", decision.allowed() ? "allowed: " : "denied: ", ""));
  }

  private static List<Call> calls(Limit limit) {
    long unit = limit.capacity() / 4;
    KeyedLimit place = limit.on("k").cost(unit);
    KeyedLimit other = Limit.fixedWindowPerKey(100, WINDOW_LENGTH).on("other");
    return List.of(
        new Call("hit", hit(place)),
        new Call("peek", world -> told(world.limiter.peek(place))),
        new Call("joint hit", hit(place, other)),
        new Call("joint hit of a new key", hit(limit.on("new").cost(unit), place)),
        new Call("inc", world -> "used " + world.limiter.inc(place)),
        new Call("get", world -> "used " + world.limiter.get(place)));
  }

  private static List<Scene> scenes(Limit limit) {
    KeyedLimit place = limit.on("k").cost(limit.capacity() / 4);
    Step hit = new Step(0, hit(place));
    Step sweep = new Step(0, world -> "swept " + (world.store.clean() >= 0));
    List<Step> fill = List.of(hit, hit, hit, hit);
    return List.of(
        new Scene("filled much later", List.of(), after(5 * WINDOW, fill), List.of(hit, hit)),
        new Scene("emptied and filled", fill, after(5 * WINDOW, fill), List.of(hit, hit)),
        new Scene(
            "filled, over and swept",
            List.of(),
            plus(fill, new Step(7 * WINDOW, sweep.call())),
            after(1, plus(fill, hit))),
        new Scene(
            "swept before it is filled",
            List.of(hit),
            plus(List.of(new Step(4 * WINDOW, sweep.call())), hit, hit, hit),
            List.of(hit, hit)),
        new Scene(
            "a little later",
            List.of(hit),
            after(WINDOW / 2, List.of(hit, new Step(WINDOW, hit.call()))),
            List.of(hit, hit, hit, hit)));
  }

  private static List<Step> after(long micros, List<Step> steps) {
    List<Step> delayed = new ArrayList<>(steps);
    delayed.set(0, new Step(micros, steps.get(0).call()));
    return delayed;
  }

  private static List<Step> plus(List<Step> steps, Step... more) {
    List<Step> all = new ArrayList<>(steps);
    all.addAll(List.of(more));
    return all;
  }

  // ---- How it is tried ----

  private void play(Limit limit, Scene scene, Call call) {
    Set<List<String>> sequential = sequential(limit, scene, call);
    boolean reached = true;
    for (int point = (int) (runs % STRIDE); reached; point += STRIDE) {
      World world = new World();
      scene.before().forEach(world::run);
      List<String> told = new ArrayList<>();
      reached = stall(world, scene, call, point, told);
      scene.after().forEach(step -> told.add(world.run(step)));
      runs++;
      if (!sequential.contains(told)) {
        throw new AssertionError(
            "%s, %s %s, stalled at point %d%n  were told  %s%n  must be one of %s"
                .formatted(limit, call.name(), scene.name(), point, told, sequential));
      }
    }
  }

  /** Whether the call has so many points that it was stalled. Adds what callers were told. */
  private boolean stall(World world, Scene scene, Call call, int point, List<String> told) {
    CountDownLatch stalled = new CountDownLatch(1);
    CountDownLatch resumed = new CountDownLatch(1);
    int[] left = {point};
    boolean[] reached = {false};
    List<String> answer = new ArrayList<>();
    Future<?> stalledCall =
        stalledThread.submit(
            () -> {
              try {
                Points.during(
                    () -> answer.add(call.call().apply(world)),
                    release -> {
                      if (left[0]-- == 0) {
                        reached[0] = true;
                        stalled.countDown();
                        await(resumed);
                      }
                    });
              } finally {
                stalled.countDown();
              }
            });
    await(stalled);
    Future<List<String>> others =
        otherThread.submit(() -> scene.meanwhile().stream().map(world::run).toList());
    try {
      try {
        others.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        waits++;
      }
      resumed.countDown();
      stalledCall.get(20, TimeUnit.SECONDS);
      told.addAll(answer);
      told.addAll(others.get(20, TimeUnit.SECONDS));
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError(call.name() + " " + scene.name() + ", point " + point, e);
    }
    return reached[0];
  }

  private static void await(CountDownLatch latch) {
    try {
      if (!latch.await(20, TimeUnit.SECONDS)) {
        throw new AssertionError("a caller must not hang");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  // ---- What may come of it ----

  private static Set<List<String>> sequential(Limit limit, Scene scene, Call call) {
    Set<List<String>> all = new LinkedHashSet<>();
    int others = scene.meanwhile().size();
    for (int order = 0; order <= others; order++) {
      for (long time : shown(scene)) {
        if (!shifts(limit, scene, order, time)) {
          all.add(sequential(scene, call, order, time));
        }
      }
    }
    return all;
  }

  /** The times that the clock shows during the stalled call, from its beginning on. */
  private static long[] shown(Scene scene) {
    return LongStream.rangeClosed(0, scene.meanwhile().size())
        .map(order -> timeOf(scene, (int) order))
        .distinct()
        .toArray();
  }

  /** How much time has passed since the beginning of the stalled call after so many others. */
  private static long timeOf(Scene scene, int others) {
    return scene.meanwhile().subList(0, others).stream().mapToLong(Step::pass).sum();
  }

  /** Whether a store that is asked at this time, after so many others, shifts the state. */
  private static boolean shifts(Limit limit, Scene scene, int order, long time) {
    World world = new World();
    scene.before().forEach(world::run);
    long begin = world.time.micros();
    scene.meanwhile().subList(0, order).forEach(world::run);
    long now = world.time.micros();
    long used = world.limiter.get(limit.on("k"));
    world.time.setMicros(begin + time);
    world.limiter.peek(limit.on("k"));
    world.time.setMicros(now);
    return world.limiter.get(limit.on("k")) != used;
  }

  /** The call comes after so many others, and is timed so long after its beginning. */
  private static List<String> sequential(Scene scene, Call call, int order, long time) {
    World world = new World();
    scene.before().forEach(world::run);
    List<String> told = new ArrayList<>();
    long begin = world.time.micros();
    for (int i = 0; i <= scene.meanwhile().size(); i++) {
      if (i == order) {
        long now = world.time.micros();
        world.time.setMicros(begin + time);
        told.add(0, call.call().apply(world));
        world.time.setMicros(now);
      }
      if (i < scene.meanwhile().size()) {
        told.add(world.run(scene.meanwhile().get(i)));
      }
    }
    scene.after().forEach(step -> told.add(world.run(step)));
    return told;
  }
}
