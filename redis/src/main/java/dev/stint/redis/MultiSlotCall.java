package dev.stint.redis;

import dev.stint.Decision;
import dev.stint.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One decision over places in several slots of a cluster, which no script can reach together.
 *
 * <p>A hit goes from slot to slot in ascending order. When one refuses, what the slots before it
 * charged is given back, and those after it are only told that the hit was refused. So no limit
 * ever admits more than it may, and a refused call weighs on the others for a round trip. The order
 * is the same for all callers, so of two calls that compete for the last units one gets them all.
 *
 * <p>What is charged and what the caller was told agree in the end:
 *
 * <ul>
 *   <li>Admitted by Redis: every leg was answered in time, and every charge stays.
 *   <li>Refused by Redis: what has been charged is given back, and what an answer after the
 *       deadline says was charged is given back then.
 *   <li>Failed, because a leg failed or the deadline came: the charges stay if the caller is
 *       admitted all the same, by the limiter or a fallback, since the request passes. If not, they
 *       are given back, see {@link CallCharges}. A leg that has not been sent by the deadline is
 *       not sent any more.
 *   <li>What cannot be given back stays charged: a charge whose answer is never heard, and one
 *       whose server does not take the undo. An undo is sent once, as everything is.
 * </ul>
 *
 * <p>While a server that is needed is known to be away, nothing is charged anywhere: the other
 * limits are only asked. A refusal stands, whatever fails beside it: a caller over one limit does
 * not pass because another limit's server is away. That limit's own answer is a degraded one then.
 */
final class MultiSlotCall extends DeadlineQueue.Entry {

  /** The limits of one slot, by their positions in the question. */
  record Leg(int slot, List<Integer> chosen) {}

  private final Question question;
  private final Link link;
  private final CommandDispatcher dispatcher;
  private final @Nullable Refusals refusals;
  private final long deadline;
  private final int lane = CallQueue.lane();
  private final List<Leg> legs = new ArrayList<>();
  private final CallCharges charges;
  private final CompletableFuture<Decision> result = new CompletableFuture<>();

  // Guarded by this. Nothing is sent and nothing completed while it is held.
  private final List<Answer> admitting = new ArrayList<>();
  private boolean charging; // legs that charge have been sent, or are about to be
  private boolean denied;
  private boolean ended;

  MultiSlotCall(
      Question question,
      Link link,
      CommandDispatcher dispatcher,
      @Nullable Refusals refusals,
      long deadline) {
    super(0);
    this.question = question;
    this.link = link;
    this.dispatcher = dispatcher;
    this.refusals = refusals;
    this.deadline = deadline;
    Map<Integer, List<Integer>> bySlot = new TreeMap<>();
    for (int i = 0; i < question.size(); i++) {
      bySlot.computeIfAbsent(link.slot(question.place(i)), slot -> new ArrayList<>()).add(i);
    }
    bySlot.forEach((slot, chosen) -> legs.add(new Leg(slot, chosen)));
    charges = new CallCharges(question, legs, dispatcher, refusals, lane);
  }

  void start() {
    StackReserve.check();
    dispatcher.watch(this, deadline);
    if (dispatcher.isClosed()) {
      fail(new StoreException(CommandDispatcher.CLOSED));
      return;
    }
    List<Leg> reachable = new ArrayList<>(legs.size());
    String away = null;
    for (Leg leg : legs) {
      String reason = link.breaker(leg.slot).reason();
      if (reason == null) {
        reachable.add(leg);
      } else if (away == null) {
        away = reason;
      }
    }
    if (away == null) {
      begin();
    } else if (question.isHit()) {
      askOnly(reachable, away);
    } else {
      fail(new StoreException(away));
    }
  }

  private void begin() {
    if (question.isHit()) {
      synchronized (this) {
        charging = true;
      }
      hit(0);
    } else {
      everywhere(legs, question::of, this::end);
    }
  }

  // Legs

  /** Sends something to several slots at once, for it can be refused by none. */
  private void everywhere(
      List<Leg> chosen, Function<List<Integer>, Question> part, Continuation then) {
    CompletableFuture<?>[] answers =
        chosen.stream()
            .map(leg -> send(leg, part.apply(leg.chosen)))
            .toArray(CompletableFuture<?>[]::new);
    CompletionStage<?> unused =
        CompletableFuture.allOf(answers).whenComplete((done, failure) -> then.go(failure));
  }

  private interface Continuation {
    void go(@Nullable Throwable failure);
  }

  private CompletableFuture<Answer> send(Leg leg, Question part) {
    return dispatcher
        .sendLeg(part, deadline, lane)
        .result()
        .whenComplete(
            (answer, failure) -> {
              if (answer != null) {
                charges.note(leg.chosen, answer);
              }
            });
  }

  /** Goes on as long as legs are answered at once, and else when the next one is. */
  private void hit(int from) {
    for (int number = from; number < legs.size(); number++) {
      Leg leg = legs.get(number);
      CompletableFuture<Answer> answer = send(leg, question.of(leg.chosen));
      if (!answer.isDone()) {
        int current = number;
        CompletionStage<Answer> unused =
            answer.whenComplete(
                (told, failure) -> {
                  if (admitted(current, told, failure)) {
                    hit(current + 1);
                  }
                });
        return;
      }
      if (!admitted(number, answer)) {
        return;
      }
    }
    if (!end(null)) {
      charges.settle(); // the caller has been told otherwise
    }
  }

  private boolean admitted(int number, CompletableFuture<Answer> answer) {
    Throwable failure = answer.handle((told, thrown) -> thrown).join();
    return admitted(number, failure == null ? answer.join() : null, failure);
  }

  /** Whether the next leg is to be sent; if not, sees to what happens instead. */
  private boolean admitted(int number, @Nullable Answer answer, @Nullable Throwable failure) {
    if (answer == null) {
      boolean unused = end(failure);
      return false;
    }
    boolean late;
    synchronized (this) {
      late = ended;
      denied = !late && !answer.all();
      if (denied) {
        countDenied();
      } else {
        admitting.add(answer);
      }
    }
    if (late) {
      charges.settle();
    } else if (!answer.all()) {
      charges.giveBack(
          number,
          () ->
              everywhere(
                  legs.subList(number + 1, legs.size()), question::refused, failed -> end(null)));
    }
    return !late && answer.all();
  }

  /** Has the limits of the legs so far that count denied hits answer for a hit that was denied. */
  private synchronized void countDenied() {
    for (int number = 0; number < admitting.size(); number++) {
      charges.noteRefusedElsewhere(legs.get(number).chosen, admitting.get(number));
    }
  }

  /** Asks the limits that can be asked, charging nothing; only a refusal is worth anything then. */
  private void askOnly(List<Leg> reachable, String away) {
    CompletableFuture<?>[] answers =
        reachable.stream()
            .map(leg -> send(leg, question.peeking(leg.chosen)).thenAccept(this::noteRefusal))
            .toArray(CompletableFuture<?>[]::new);
    CompletionStage<?> unused =
        CompletableFuture.allOf(answers)
            .whenComplete(
                (done, failure) -> {
                  if (isDenied()) {
                    everywhere(counting(reachable), question::refused, failed -> end(null));
                  } else {
                    end(new StoreException(away));
                  }
                });
  }

  private synchronized void noteRefusal(Answer answer) {
    denied |= !answer.all();
  }

  private synchronized boolean isDenied() {
    return denied;
  }

  /** Of these legs, the limits that count denied hits. */
  private List<Leg> counting(List<Leg> asked) {
    List<Leg> counting = new ArrayList<>();
    for (Leg leg : asked) {
      List<Integer> chosen = new ArrayList<>();
      for (int i : leg.chosen) {
        if (question.limits().get(i).limit().countsDenied()) {
          chosen.add(i);
        }
      }
      if (!chosen.isEmpty()) {
        counting.add(new Leg(leg.slot, chosen));
      }
    }
    return counting;
  }

  // The end

  /** Ends the call; returns whether it had not ended before. A refusal stands, whatever fails. */
  private boolean end(@Nullable Throwable failure) {
    Decision decision = null;
    StoreException thrown = null;
    boolean open = false;
    synchronized (this) {
      if (ended) {
        return false;
      }
      // First what may fail for lack of memory, so that a call which has ended also completes.
      if (failure == null || denied) {
        decision = charges.decision();
      } else {
        open = charging;
        thrown = open ? charges.failure(failure) : StoreFailure.of(failure);
      }
      ended = true;
    }
    if (open) {
      dispatcher.watchLate(charges); // before anybody can answer in place of Redis
    }
    if (refusals != null && !question.asks()) {
      refusals.forget(question);
    }
    if (decision != null) {
      result.complete(decision);
    } else if (thrown != null) {
      result.completeExceptionally(thrown);
      dispatcher.failed(StoreFailure.reason(thrown));
    }
    dispatcher.unwatch(this);
    if (open && dispatcher.isClosed()) {
      charges.expire(); // late entries have been ended meanwhile, perhaps without this one
    }
    return true;
  }

  private void fail(StoreException failure) {
    boolean unused = end(failure);
  }

  /** How it ends. Its continuations run on an I/O thread or on the timer's: none may block. */
  CompletableFuture<Decision> result() {
    return result;
  }

  /** Waits for the end, which the deadline brings at the latest. */
  Decision await() {
    boolean interrupted = false;
    try {
      for (; ; ) {
        try {
          return result.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
          expire();
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          throw StoreFailure.of(e);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  void expire() {
    String reason = dispatcher.isClosed() ? CommandDispatcher.CLOSED : dispatcher.tooLate();
    if (end(new StoreException(reason)) && isDenied()) {
      charges.answered(false);
    }
    if (result.isDone()) {
      dispatcher.unwatch(this);
    }
  }
}
