package dev.stint.redis;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Store;
import dev.stint.StoreException;
import dev.stint.algorithm.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One decision over places in several slots of a cluster, which no script can reach together.
 *
 * <p>A hit goes from slot to slot in ascending order. When one refuses, what the slots before it
 * charged is given back, and those after it are only told that the hit was refused. So no limit
 * ever admits more than it may, and a refused call weighs on the others for a round trip. The order
 * is the same for everybody, so of two calls that compete for the last units one gets them all.
 * What cannot be given back, because a server does not answer, stays charged.
 *
 * <p>A refusal stands, whatever fails after it: who is over one limit does not pass because another
 * limit's server is away. That limit's own answer is a degraded one then.
 */
final class Spread implements Deadlines.Timed {

  /** The limits of one slot, by their positions in the question. */
  private record Leg(List<Integer> chosen) {}

  private final Question question;
  private final Courier courier;
  private final long patience;
  private final long deadline;
  private final List<Leg> legs = new ArrayList<>();
  private final @Nullable Decision[] decisions;
  private final boolean[] absent;
  private final List<Answer> admitting = new ArrayList<>();
  private final CompletableFuture<Decision> result = new CompletableFuture<>();
  private volatile boolean denied;

  Spread(Question question, Link link, Courier courier, long patience) {
    this.question = question;
    this.courier = courier;
    this.patience = patience;
    this.deadline = System.nanoTime() + patience;
    decisions = new Decision[question.size()];
    absent = new boolean[question.size()];
    Map<Integer, List<Integer>> bySlot = new TreeMap<>();
    for (int i = 0; i < question.size(); i++) {
      bySlot.computeIfAbsent(link.slot(question.place(i)), slot -> new ArrayList<>()).add(i);
    }
    bySlot.values().forEach(chosen -> legs.add(new Leg(chosen)));
  }

  void start() {
    if (question.isHit()) {
      hit(0, false);
    } else {
      everywhere();
    }
  }

  /** What is no hit is refused by nobody, and can be said to all at once. */
  private void everywhere() {
    CompletableFuture<?>[] answers =
        legs.stream().map(leg -> send(leg, false)).toArray(CompletableFuture<?>[]::new);
    CompletionStage<?> unused =
        CompletableFuture.allOf(answers).whenComplete((done, failure) -> finish(failure));
  }

  private CompletableFuture<Answer> send(Leg leg, boolean refused) {
    Question part = refused ? question.refused(leg.chosen()) : question.of(leg.chosen());
    Pending sent = courier.send(part, deadline);
    return sent.whenComplete(
        (answer, failure) -> {
          if (answer != null) {
            keep(leg.chosen(), answer);
          }
        });
  }

  private void keep(List<Integer> chosen, Answer answer) {
    for (int i = 0; i < chosen.size(); i++) {
      decisions[chosen.get(i)] = answer.decisions().get(i);
      absent[chosen.get(i)] = answer.wasAbsent(i);
    }
  }

  private void hit(int number, boolean refused) {
    if (number == legs.size()) {
      finish(null);
      return;
    }
    Leg leg = legs.get(number);
    CompletionStage<Answer> unused =
        send(leg, refused)
            .whenComplete(
                (answer, failure) -> {
                  if (failure != null && !refused) {
                    giveBack(number, () -> finish(failure));
                  } else if (result.isDone()) { // too late: nobody waits for this any more
                    giveBack(number + 1, () -> {});
                  } else if (!refused && !answer.all()) {
                    denied = true;
                    countDenied();
                    giveBack(number, () -> hit(number + 1, true));
                  } else {
                    if (!refused) {
                      admitting.add(answer);
                    }
                    hit(number + 1, refused);
                  }
                });
  }

  /** Has the limits of the legs so far that count denied hits answer for a hit that was denied. */
  private void countDenied() {
    for (int number = 0; number < admitting.size(); number++) {
      List<Integer> chosen = legs.get(number).chosen();
      for (int i = 0; i < chosen.size(); i++) {
        if (question.limits().get(chosen.get(i)).limit().countsDenied()) {
          decisions[chosen.get(i)] = admitting.get(number).refusedElsewhere(i);
        }
      }
    }
  }

  /**
   * Gives back what the first {@code count} legs charged and does not count denied hits, then goes
   * on. Where that fails nobody knows what is charged, so no answer is kept, and it is not tried
   * again.
   */
  private void giveBack(int count, Runnable then) {
    List<CompletableFuture<?>> undone = new ArrayList<>();
    for (Leg leg : legs.subList(0, count)) {
      List<Integer> chosen = new ArrayList<>();
      List<KeyedLimit> charges = new ArrayList<>();
      for (int i : leg.chosen()) {
        Decision decision = decisions[i];
        if (decision != null && !decision.limit().countsDenied()) {
          for (KeyedLimit charge : decision.charges()) {
            chosen.add(i);
            charges.add(charge);
            decisions[i] = null;
          }
        }
      }
      if (!chosen.isEmpty()) {
        undone.add(undo(chosen, charges));
      }
    }
    CompletionStage<?> unused =
        CompletableFuture.allOf(undone.toArray(CompletableFuture<?>[]::new))
            .whenComplete((done, failure) -> then.run());
  }

  private CompletableFuture<Answer> undo(List<Integer> chosen, List<KeyedLimit> charges) {
    boolean[] opened = new boolean[chosen.size()];
    for (int i = 0; i < opened.length; i++) {
      opened[i] = absent[chosen.get(i)];
    }
    Question undo = question.undoing(charges, chosen, opened);
    return courier
        .send(undo, System.nanoTime() + patience)
        .whenComplete(
            (answer, failure) -> {
              if (answer != null) {
                keep(chosen, answer);
              }
            });
  }

  private void finish(@Nullable Throwable failure) {
    if (failure != null) {
      result.completeExceptionally(StoreFailure.of(failure));
    } else {
      List<Decision> answers = new ArrayList<>(decisions.length);
      for (int i = 0; i < decisions.length; i++) {
        Decision known = decisions[i];
        answers.add(known != null ? known : unknown(question.limits().get(i)));
      }
      result.complete(Decision.of(question.limits(), answers));
    }
  }

  /** The answer of a limit that could not be asked, in a call that another has refused. */
  private static Decision unknown(KeyedLimit limit) {
    return Store.admitting().run(Operation.PEEK, List.of(limit)).limits().get(0);
  }

  CompletableFuture<Decision> result() {
    return result;
  }

  /** Waits for the end, which the deadline brings at the latest. */
  Decision await() {
    try {
      return result.join();
    } catch (CompletionException e) {
      throw StoreFailure.of(e);
    }
  }

  @Override
  public boolean isDone() {
    return result.isDone();
  }

  @Override
  public long deadline() {
    return deadline;
  }

  @Override
  public void expire() {
    if (!result.isDone()) {
      finish(denied ? null : new StoreException(courier.tooLate()));
    }
  }
}
