package dev.stint.redis;

import dev.stint.StoreException;
import dev.stint.TimeSource;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.api.async.BaseRedisAsyncCommands;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Sends calls to Redis and hands out the answers.
 *
 * <p>A call is sent at once if little is under way to its server. Otherwise it waits for its turn
 * in a {@link CallQueue}, and on one server travels together with others that wait: the busier it
 * is, the more share a script call, and none ever waits for company. In a cluster each travels
 * alone, since its places may lie anywhere.
 *
 * <p>A call is sent once. Only a server that does not have the script or {@linkplain
 * ServerFunctions the function}, or does not let us call the latter, has it sent again, since it
 * says so before it runs anything; after anything else the outcome is unknown, and a second sending
 * might charge twice.
 *
 * <p><em>Errors.</em> What is under way is what is in one of three {@linkplain DeadlineQueue
 * queues}: calls, batches, and what has been given up but may still be answered. A call is in its
 * queue before it can be sent, and a batch before it takes calls out of the line. Whatever is
 * thrown in between, an {@code Error} included, the timer finds it there when it is due, ends it
 * and frees what it holds. No counter is kept beside the queues.
 */
final class CommandDispatcher {

  static final String CLOSED = "this store is closed";

  /** How many calls may share a script call, and how many of those may be under way. */
  static final int TOGETHER = 64;

  static final int BATCHES = 2;

  /** How many calls may be under way to one server of a cluster. */
  static final int CLUSTER_CALLS = 64;

  private final Link link;
  private final Scripts scripts = new Scripts();
  private final @Nullable TimeSource clock;
  private final Complaints complaints;
  private final Prober prober;
  private final int mostInFlight;
  private final long patience;
  private final long latePatience;
  private final String tooLate;
  private final DeadlineQueue calls;
  private final DeadlineQueue batches;
  private final DeadlineQueue late;
  private volatile boolean closed;

  CommandDispatcher(
      Link link,
      @Nullable TimeSource clock,
      Complaints complaints,
      Prober prober,
      Timer timer,
      int mostInFlight,
      Duration deadline) {
    this.link = link;
    this.clock = clock;
    this.complaints = complaints;
    this.prober = prober;
    this.mostInFlight = mostInFlight;
    this.patience = deadline.toNanos();
    this.latePatience = late(deadline).toNanos();
    this.tooLate = "Redis did not answer within " + deadline.toMillis() + " ms";
    this.calls = new DeadlineQueue(timer);
    this.batches = new DeadlineQueue(timer);
    this.late = new DeadlineQueue(timer);
  }

  /** How long an answer is waited for that comes too late for the caller. */
  static Duration late(Duration deadline) {
    return deadline.plusSeconds(1);
  }

  // Calls

  /** Sends a question, unless it is known that it would be in vain. */
  PendingCall send(Question question, long deadline) {
    return send(PendingCall.Kind.DECISION, question, deadline, CallQueue.lane());
  }

  /** Sends a part of a decision, in the line of the thread that asked for the decision. */
  PendingCall sendLeg(Question question, long deadline, int lane) {
    return send(PendingCall.Kind.LEG, question, deadline, lane);
  }

  /** Gives back a charge; since no caller waits for it, it may take its time. */
  PendingCall undo(Question question, int lane) {
    return send(PendingCall.Kind.UNDO, question, System.nanoTime() + latePatience, lane);
  }

  private PendingCall send(PendingCall.Kind kind, Question question, long deadline, int lane) {
    StackReserve.check();
    Breaker breaker = link.breaker(link.slot(question.place(0)));
    PendingCall call = new PendingCall(kind, question, breaker, this, deadline, lane);
    String open = closed ? CLOSED : breaker.reason();
    if (open != null) {
      call.fail(open);
    } else if (!enter(call)) {
      call.fail(tooMany());
    } else {
      breaker.calls().add(call);
      if (closed) { // the calls there were have been ended meanwhile, perhaps without this one
        call.fail(CLOSED);
      }
      drain(breaker);
    }
    return call;
  }

  private boolean enter(PendingCall call) {
    if (call.kind() == PendingCall.Kind.UNDO) {
      late.add(call, call.deadline());
      return true;
    }
    // The thread with most calls waiting makes room for one that has fewer.
    while (!calls.add(call, call.deadline(), mostInFlight)) {
      PendingCall victim = call.breaker().calls().evictFor(call);
      if (victim == null) {
        return false;
      }
      victim.fail(tooMany());
    }
    return true;
  }

  private String tooMany() {
    return "at most " + mostInFlight + " decisions may be in flight to Redis";
  }

  /** Sends a question whatever the breaker says, to see whether it is right. */
  PendingCall probe(Question question, Breaker breaker) {
    StackReserve.check();
    long now = System.nanoTime();
    PendingCall probe =
        new PendingCall(PendingCall.Kind.PROBE, question, breaker, this, now + patience, 0);
    late.add(probe, probe.deadline());
    Batch batch = new Batch(breaker, this, 1);
    batch.add(probe, false);
    batches.add(batch, batch.expectedBy(now + patience));
    dispatch(batch);
    return probe;
  }

  /** Has a probe find out whether this server is well. */
  void check(Breaker breaker) {
    prober.check(breaker);
  }

  /** A call has ended: it is under way no more. */
  void ended(PendingCall call) {
    calls.remove(call);
    late.remove(call);
    call.breaker().calls().remove(call);
  }

  /** A call has ended badly. */
  void failed(PendingCall call, String reason) {
    if (call.kind() == PendingCall.Kind.DECISION) {
      complaints.add(reason);
    }
  }

  /** A caller's call over several slots has ended badly. */
  void failed(String reason) {
    complaints.add(reason);
  }

  /** Keeps listening for the answer to a call whose caller has gone. */
  boolean awaitLate(PendingCall call) {
    long now = System.nanoTime();
    if (now - call.deadline() > latePatience) {
      return false;
    }
    calls.remove(call);
    late.add(call, call.deadline() + latePatience);
    return true;
  }

  /** Has an entry expire when it is due. */
  void watch(DeadlineQueue.Entry entry, long due) {
    calls.add(entry, due);
  }

  /** Has an entry expire when late answers are heard no more. */
  void watchLate(DeadlineQueue.Entry entry) {
    late.add(entry, System.nanoTime() + latePatience);
  }

  void unwatch(DeadlineQueue.Entry entry) {
    calls.remove(entry);
    late.remove(entry);
  }

  String tooLate() {
    return tooLate;
  }

  boolean isClosed() {
    return closed;
  }

  /** Whether nothing is under way. */
  boolean isIdle() {
    return calls.isEmpty() && batches.isEmpty() && late.isEmpty();
  }

  /** Ends all calls, and fails those that come later. */
  void close() {
    closed = true;
    calls.expireAll();
    late.expireAll();
  }

  // Batches

  private void drain(Breaker breaker) {
    CallQueue queue = breaker.calls();
    while (queue.isReady()) {
      Batch batch = new Batch(breaker, this, queue.mostTogether());
      batches.add(batch, batch.expectedBy(System.nanoTime() + patience));
      if (!queue.fill(batch)) {
        batches.remove(batch);
        return;
      }
      dispatch(batch);
    }
  }

  private void dispatch(Batch batch) {
    boolean function = batch.breaker().functions().areUsable();
    dispatch(batch, function ? Invocation.FUNCTION : Invocation.DIGEST);
  }

  private void dispatch(Batch batch, Invocation how) {
    batch.beingSent(true);
    try {
      BaseRedisAsyncCommands<byte[], byte[]> commands = link.commands();
      if (commands == null) {
        throw new StoreException(link.missing());
      }
      Long now = clock == null ? null : clock.micros();
      batch.sent();
      CompletionStage<Reply> stage =
          commands.dispatch(how.command(), new Reply(), batch.args(scripts, how, now));
      CompletionStage<Reply> unused =
          stage.whenComplete((reply, failure) -> settle(batch, how, reply, failure));
    } catch (Throwable e) {
      settle(batch, how, null, e);
    } finally {
      batch.beingSent(false);
    }
  }

  private void settle(
      Batch batch, Invocation how, @Nullable Reply reply, @Nullable Throwable failure) {
    Throwable cause = failure == null ? null : StoreFailure.unwrap(failure);
    Invocation next = cause == null ? null : next(batch, how, cause);
    if (next != null && !batch.isDone()) {
      dispatch(batch, next);
      drain(batch.breaker()); // should it have ended at once
      return;
    }
    forget(batch);
    try {
      if (!batch.isBeingSent()) {
        drain(batch.breaker()); // before the answers: waking callers takes longer than sending
      }
    } finally {
      deliver(batch, reply, cause);
    }
  }

  /** How to send a batch again that failed so; null if it may have been run. */
  private @Nullable Invocation next(Batch batch, Invocation how, Throwable cause) {
    return switch (how) {
      case FUNCTION ->
          batch.breaker().functions().wereRefused(cause, scripts.library())
              ? Invocation.DIGEST
              : null;
      case DIGEST -> cause instanceof RedisNoScriptException ? Invocation.SOURCE : null;
      case SOURCE -> null;
    };
  }

  private static void deliver(Batch batch, @Nullable Reply reply, @Nullable Throwable cause) {
    try {
      if (reply != null && cause == null) {
        batch.answered(reply);
      } else if (cause instanceof Error) {
        batch.failedHere(cause.toString());
      } else {
        batch.failed(reason(cause));
      }
    } catch (StoreException e) {
      batch.failed(StoreFailure.reason(e));
    } catch (Throwable e) {
      batch.failedHere(e.toString());
    }
  }

  private static String reason(@Nullable Throwable cause) {
    if (cause instanceof StoreException) { // our own words, which name Redis already
      return StoreFailure.reason(cause);
    }
    return cause == null ? "Redis answered nothing" : "Redis: " + StoreFailure.reason(cause);
  }

  /** A batch takes too long: others are sent meanwhile. */
  void abandon(Batch batch) {
    batches.remove(batch);
    late.add(batch, System.nanoTime() + latePatience);
    batch.breaker().calls().abandon(batch);
    drain(batch.breaker());
  }

  /** A batch will not be heard of again. */
  void giveUp(Batch batch) {
    forget(batch);
    drain(batch.breaker());
  }

  private void forget(Batch batch) {
    batches.remove(batch);
    late.remove(batch);
    batch.breaker().calls().release(batch);
  }
}
