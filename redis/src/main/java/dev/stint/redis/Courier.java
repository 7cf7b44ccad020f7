package dev.stint.redis;

import dev.stint.StoreException;
import dev.stint.TimeSource;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.api.async.BaseRedisAsyncCommands;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Carries questions to Redis and brings their answers back.
 *
 * <p>A question leaves at once when the way is free. While {@value #CALLS} calls are under way,
 * those that come meanwhile gather and leave together in the next one: the busier it is, the more
 * travel in one call, and nobody ever waits for company. In a cluster each travels alone, since its
 * places may lie anywhere.
 *
 * <p>A question is sent once. Only {@code NOSCRIPT} has it sent again, which says that nothing was
 * run; after anything else the outcome is unknown, and a second sending might charge twice.
 */
final class Courier {

  private static final int CALLS = 2;
  private static final int MOST_TOGETHER = 64;

  private final Link link;
  private final Scripts scripts = new Scripts();
  private final @Nullable TimeSource clock;
  private final Complaints complaints;
  private final int mostInFlight;
  private final String tooLate;

  private final AtomicInteger inFlight = new AtomicInteger();
  private final AtomicInteger calls = new AtomicInteger();
  private final Queue<Pending> waiting = new ConcurrentLinkedQueue<>();

  Courier(
      Link link,
      @Nullable TimeSource clock,
      Complaints complaints,
      int mostInFlight,
      Duration deadline) {
    this.link = link;
    this.clock = clock;
    this.complaints = complaints;
    this.mostInFlight = mostInFlight;
    this.tooLate = "Redis did not answer within " + deadline.toMillis() + " ms";
  }

  /** Sends a question, unless it is known that it would be in vain. */
  Pending send(Question question, long deadline) {
    Breaker breaker = link.breaker(link.slot(question.place(0)));
    Pending pending = new Pending(question, breaker, this, deadline, false);
    String closed = breaker.reason();
    if (inFlight.incrementAndGet() > mostInFlight) {
      pending.failedInItself("at most " + mostInFlight + " decisions may be in flight to Redis");
    } else if (closed != null) {
      pending.failedInItself(closed);
    } else {
      submit(pending);
    }
    return pending;
  }

  /** Sends a question whatever the breaker says, to see whether it is right. */
  Pending probe(Question question, Breaker breaker, long deadline) {
    inFlight.incrementAndGet();
    Pending pending = new Pending(question, breaker, this, deadline, true);
    dispatch(new Bundle(List.of(pending), scripts), false, false);
    return pending;
  }

  private void submit(Pending pending) {
    if (link.isOne()) {
      waiting.add(pending);
      drain();
    } else {
      dispatch(new Bundle(List.of(pending), scripts), false, false);
    }
  }

  private void drain() {
    while (!waiting.isEmpty() && enter()) {
      List<Pending> together = gather();
      if (together.isEmpty()) {
        calls.decrementAndGet();
      } else {
        dispatch(new Bundle(together, scripts), false, true);
      }
    }
  }

  private boolean enter() {
    for (; ; ) {
      int under = calls.get();
      if (under >= CALLS) {
        return false;
      }
      if (calls.compareAndSet(under, under + 1)) {
        return true;
      }
    }
  }

  private List<Pending> gather() {
    List<Pending> together = new ArrayList<>();
    int places = 0;
    while (together.size() < MOST_TOGETHER && places < Question.MOST) {
      Pending next = waiting.poll();
      if (next == null) {
        break;
      }
      if (!next.isDone()) {
        together.add(next);
        places += next.question().size();
      }
    }
    return together;
  }

  private void dispatch(Bundle bundle, boolean whole, boolean entered) {
    BaseRedisAsyncCommands<byte[], byte[]> commands = link.commands();
    if (commands == null) {
      settle(bundle, whole, entered, null, new StoreException(link.missing()));
      return;
    }
    CommandType type = whole ? CommandType.EVAL : CommandType.EVALSHA;
    CompletionStage<Reply> stage;
    try {
      Long now = clock == null ? null : clock.micros();
      stage = commands.dispatch(type, new Reply(), bundle.args(whole, now));
    } catch (RuntimeException e) {
      settle(bundle, whole, entered, null, e);
      return;
    }
    CompletionStage<Reply> unused =
        stage.whenComplete((reply, failure) -> settle(bundle, whole, entered, reply, failure));
  }

  private void settle(
      Bundle bundle,
      boolean whole,
      boolean entered,
      @Nullable Reply reply,
      @Nullable Throwable failure) {
    Throwable cause = failure == null ? null : StoreFailure.unwrap(failure);
    if (cause instanceof RedisNoScriptException && !whole && !bundle.isDone()) {
      dispatch(bundle, true, entered);
      return;
    }
    if (entered) {
      calls.decrementAndGet();
      drain(); // before the answers: waking those who wait takes longer than sending the next call
    }
    if (cause != null || reply == null) {
      bundle.failed(reason(cause));
      return;
    }
    try {
      bundle.answered(reply);
    } catch (StoreException e) {
      bundle.failed(StoreFailure.reason(e));
    }
  }

  private static String reason(@Nullable Throwable cause) {
    if (cause instanceof StoreException) { // our own words, which name Redis already
      return StoreFailure.reason(cause);
    }
    return cause == null ? "Redis answered nothing" : "Redis: " + StoreFailure.reason(cause);
  }

  /** A question has ended well. */
  void answered() {
    inFlight.decrementAndGet();
  }

  /** A question has ended badly. */
  void failed(Pending pending, String reason) {
    inFlight.decrementAndGet();
    if (!pending.isProbe()) {
      complaints.add(reason);
    }
  }

  String tooLate() {
    return tooLate;
  }
}
