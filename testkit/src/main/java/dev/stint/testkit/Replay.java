package dev.stint.testkit;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.RateLimiter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** One run of a timeline against one limiter. */
final class Replay {

  /** By which of the equal ways a step reaches the limiter. */
  enum Manner {
    /** With a key, where the step is about all limits or the only one. */
    OWN,
    /** With a limit on a key, wherever a limit is known. */
    PER_CALL,
    /** As {@link #OWN}, through the methods that answer with a future. */
    ASYNC
  }

  private final Timeline timeline;
  private final RateLimiter limiter;
  private final ManualTime time;
  private final Manner manner;
  private final String prefix;
  private final Instant start;
  private final Map<String, Decision> named = new HashMap<>();

  Replay(Timeline timeline, RateLimiter limiter, ManualTime time, Manner manner, String prefix) {
    this.timeline = timeline;
    this.limiter = limiter;
    this.time = time;
    this.manner = manner;
    this.prefix = prefix;
    this.start = timeline.start().orElse(time.now());
  }

  void run() {
    for (Step step : timeline.steps()) {
      time.setMicros(Timeline.micros(start) + step.at());
      switch (step.verb()) {
        case HIT, PEEK -> check(step, ask(step));
        case INC -> check(step, step.facts(), List.of(Fact.count(inc(step))));
        case GET -> check(step, step.facts(), List.of(Fact.count(get(step))));
        case EXPIRES_AT -> check(step, step.facts(), List.of(Fact.expiry(expiresAt(step), start)));
        case CLEAN -> check(step, step.facts(), List.of(Fact.forgotten(clean())));
        case REFUND -> refund(step);
        case SET -> set(step);
        case RESET -> reset(step);
      }
    }
  }

  private void check(Step step, Decision decision) {
    check(step, step.facts(), Fact.of(decision, timeline::label));
    step.parts()
        .forEach(
            (position, facts) ->
                check(step, facts, Fact.of(decision.limits().get(position), timeline::label)));
  }

  private void check(Step step, List<Fact> expected, List<Fact> actual) {
    List<Fact> missing = new ArrayList<>(expected);
    missing.removeAll(actual);
    if (!missing.isEmpty()) {
      throw new AssertionError(
          timeline.source()
              + ":"
              + step.line()
              + ": "
              + step.text()
              + "\n  expected: "
              + words(missing)
              + "\n  actual:   "
              + words(actual));
    }
  }

  private static String words(List<Fact> facts) {
    return String.join(", ", facts.stream().map(Fact::text).toList());
  }

  private Decision ask(Step step) {
    Decision decision = step.verb() == Step.Verb.HIT ? hit(step) : peek(step);
    if (step.name() != null) {
      named.put(step.name(), decision);
    }
    return decision;
  }

  private Decision hit(Step step) {
    if (isPerCall(step)) {
      KeyedLimit[] limits = limits(step);
      return answer(() -> limiter.hit(limits), () -> limiter.hitAsync(limits));
    }
    String key = key(step);
    long n = n(step);
    return answer(() -> limiter.hit(key, n), () -> limiter.hitAsync(key, n));
  }

  private Decision peek(Step step) {
    if (isPerCall(step)) {
      KeyedLimit[] limits = limits(step);
      return answer(() -> limiter.peek(limits), () -> limiter.peekAsync(limits));
    }
    String key = key(step);
    long n = n(step);
    return answer(() -> limiter.peek(key, n), () -> limiter.peekAsync(key, n));
  }

  private long inc(Step step) {
    if (isPerCall(step)) {
      KeyedLimit limit = limits(step)[0];
      return answer(() -> limiter.inc(limit), () -> limiter.incAsync(limit));
    }
    String key = key(step);
    long n = n(step);
    return answer(() -> limiter.inc(key, n), () -> limiter.incAsync(key, n));
  }

  private long get(Step step) {
    if (isPerCall(step)) {
      KeyedLimit limit = limits(step)[0];
      return answer(() -> limiter.get(limit), () -> limiter.getAsync(limit));
    }
    String key = key(step);
    return answer(() -> limiter.get(key), () -> limiter.getAsync(key));
  }

  private Optional<Instant> expiresAt(Step step) {
    if (isPerCall(step)) {
      KeyedLimit limit = limits(step)[0];
      return answer(() -> limiter.expiresAt(limit), () -> limiter.expiresAtAsync(limit));
    }
    String key = key(step);
    return answer(() -> limiter.expiresAt(key), () -> limiter.expiresAtAsync(key));
  }

  private long clean() {
    return answer(limiter::clean, limiter::cleanAsync);
  }

  private void refund(Step step) {
    Decision earlier = named.get(step.refunds());
    if (earlier != null) {
      perform(() -> limiter.refund(earlier), () -> limiter.refundAsync(earlier));
    } else if (isPerCall(step)) {
      KeyedLimit limit = limits(step)[0];
      perform(() -> limiter.refund(limit), () -> limiter.refundAsync(limit));
    } else {
      String key = key(step);
      long n = n(step);
      perform(() -> limiter.refund(key, n), () -> limiter.refundAsync(key, n));
    }
  }

  private void set(Step step) {
    long n = n(step);
    if (isPerCall(step)) {
      KeyedLimit limit = limits(step)[0];
      perform(() -> limiter.set(limit, n), () -> limiter.setAsync(limit, n));
    } else {
      String key = key(step);
      perform(() -> limiter.set(key, n), () -> limiter.setAsync(key, n));
    }
  }

  private void reset(Step step) {
    if (isPerCall(step)) {
      KeyedLimit[] limits = limits(step);
      perform(() -> limiter.reset(limits), () -> limiter.resetAsync(limits));
    } else {
      String key = key(step);
      perform(() -> limiter.reset(key), () -> limiter.resetAsync(key));
    }
  }

  private <T> T answer(Supplier<T> now, Supplier<CompletionStage<T>> later) {
    return manner == Manner.ASYNC ? later.get().toCompletableFuture().join() : now.get();
  }

  private void perform(Runnable now, Supplier<CompletionStage<Void>> later) {
    if (manner == Manner.ASYNC) {
      later.get().toCompletableFuture().join();
    } else {
      now.run();
    }
  }

  /** Whether the step names its limits itself, or is made to. */
  private boolean isPerCall(Step step) {
    return !step.isOwn() || (manner == Manner.PER_CALL && timeline.size() == 1);
  }

  private KeyedLimit[] limits(Step step) {
    return step.targets().stream()
        .map(target -> target.on(timeline.limit(target.label()), prefix))
        .toArray(KeyedLimit[]::new);
  }

  private String key(Step step) {
    return prefix + step.targets().get(0).key();
  }

  private static long n(Step step) {
    return step.targets().get(0).n();
  }
}
