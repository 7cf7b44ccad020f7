package dev.stint.redis;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Store;
import dev.stint.StoreException;
import dev.stint.algorithm.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * What the limits of a call over several slots answered, and what becomes of their charges.
 *
 * <p>A call that fails may have charged some of its limits, and a late answer may tell of more.
 * Whether these charges stay depends on how the caller is answered in place of Redis, by the
 * limiter or by a fallback. They {@linkplain StoreException#answered say so} to the exception that
 * the call fails with. Until then charges are left as they are. An exception that is told nothing
 * within the time for which late answers are heard was thrown to a direct caller of the store, for
 * whom it means "not admitted": the charges are given back.
 *
 * <p>While that is open, this is in the dispatcher's queue of late entries, and leaves it only when
 * all has been sent that gives the charges back. If an {@code Error} comes in between, the timer
 * finds it there and goes on.
 */
final class CallCharges extends DeadlineQueue.Entry {

  /** What becomes of the charges. */
  private enum Fate {
    OPEN,
    KEPT,
    GIVEN_BACK
  }

  /** Charges of one slot that are to be given back. */
  private record Undo(List<Integer> chosen, Question question) {}

  private final Question question;
  private final List<MultiSlotCall.Leg> legs;
  private final CommandDispatcher dispatcher;
  private final @Nullable Refusals refusals;
  private final int lane;

  // Guarded by this. Nothing is sent while it is held.
  private final @Nullable Decision[] decisions;
  private final boolean[] absent;
  private Fate fate = Fate.OPEN;

  CallCharges(
      Question question,
      List<MultiSlotCall.Leg> legs,
      CommandDispatcher dispatcher,
      @Nullable Refusals refusals,
      int lane) {
    super(0);
    this.question = question;
    this.legs = legs;
    this.dispatcher = dispatcher;
    this.refusals = refusals;
    this.lane = lane;
    decisions = new Decision[question.size()];
    absent = new boolean[question.size()];
  }

  // Answers

  /** Notes an answer; one that comes after the end too, since it tells what was charged. */
  synchronized void note(List<Integer> chosen, Answer answer) {
    for (int i = 0; i < chosen.size(); i++) {
      int at = chosen.get(i);
      Decision before = decisions[at];
      Decision told = answer.decisions().get(i);
      if (before == null || before.allowed() || !told.allowed()) { // a refusal stands
        decisions[at] = told;
        absent[at] = answer.wasAbsent(i);
      }
    }
  }

  /** Has the limits of a leg that count denied hits answer for a hit that was refused elsewhere. */
  synchronized void noteRefusedElsewhere(List<Integer> chosen, Answer answer) {
    for (int i = 0; i < chosen.size(); i++) {
      if (question.limits().get(chosen.get(i)).limit().countsDenied()) {
        decisions[chosen.get(i)] = answer.refusedElsewhere(i);
      }
    }
  }

  /** The decision that all answers make together. */
  synchronized Decision decision() {
    List<Decision> answers = new ArrayList<>(decisions.length);
    for (int i = 0; i < decisions.length; i++) {
      Decision known = decisions[i];
      answers.add(known != null ? known : unknown(question.limits().get(i)));
    }
    return Decision.of(question.limits(), answers);
  }

  /** The answer of a limit that could not be asked, in a call that another has refused. */
  private static Decision unknown(KeyedLimit limit) {
    return Store.admitting().run(Operation.PEEK, List.of(limit)).limits().get(0);
  }

  // The caller's answer

  /** What the call fails with; it is told how the caller is answered instead. */
  StoreException failure(Throwable failure) {
    Throwable cause = StoreFailure.unwrap(failure);
    return new CallFailed(StoreFailure.reason(cause), cause, this);
  }

  private static final class CallFailed extends StoreException {

    private static final long serialVersionUID = 1;

    private final transient @Nullable CallCharges charges; // none if it was serialized

    CallFailed(String message, Throwable cause, CallCharges charges) {
      super(message, cause);
      this.charges = charges;
    }

    @Override
    public void answered(boolean admitted) {
      if (charges != null) {
        charges.answered(admitted);
      }
    }
  }

  /** Keeps the charges if the caller was admitted, or gives them back. The first word counts. */
  void answered(boolean admitted) {
    synchronized (this) {
      if (fate == Fate.OPEN) {
        fate = admitted ? Fate.KEPT : Fate.GIVEN_BACK;
      }
    }
    settle();
    dispatcher.unwatch(this);
  }

  /** Gives back what is known by now, if it is to be given back: for each late answer again. */
  void settle() {
    if (areGivenBack()) {
      giveBack(legs.size(), () -> {});
    }
  }

  private synchronized boolean areGivenBack() {
    return fate == Fate.GIVEN_BACK;
  }

  /** Nothing was said in time, or giving back was interrupted by an {@code Error}. */
  @Override
  void expire() {
    answered(false);
  }

  // Giving back

  /**
   * Gives back what the first {@code count} legs charged and does not count denied hits, then goes
   * on. Where that fails it is unknown what is charged, so no answer is kept, and it is not tried
   * again.
   */
  void giveBack(int count, Runnable then) {
    StackReserve.check(); // charges are taken out of the answers from here on
    List<CompletableFuture<?>> undone = new ArrayList<>();
    for (MultiSlotCall.Leg leg : legs.subList(0, count)) {
      Undo undo = undo(leg);
      if (undo != null) {
        undone.add(
            dispatcher
                .undo(undo.question, lane)
                .result()
                .whenComplete((answer, failure) -> undone(undo, answer)));
      }
    }
    CompletionStage<?> unused =
        CompletableFuture.allOf(undone.toArray(CompletableFuture<?>[]::new))
            .whenComplete((done, failure) -> then.run());
  }

  /** Takes a leg's charges out of its answers, so that they are given back once. */
  private synchronized @Nullable Undo undo(MultiSlotCall.Leg leg) {
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
    if (chosen.isEmpty()) {
      return null;
    }
    boolean[] opened = new boolean[chosen.size()];
    for (int i = 0; i < opened.length; i++) {
      opened[i] = absent[chosen.get(i)];
    }
    return new Undo(chosen, question.undoing(charges, chosen, opened));
  }

  private void undone(Undo undo, @Nullable Answer answer) {
    if (answer != null) {
      note(undo.chosen, answer);
    }
    if (refusals != null) {
      refusals.forget(undo.question); // others may have been refused because of this charge
    }
  }
}
