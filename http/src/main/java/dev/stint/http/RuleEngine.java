package dev.stint.http;

import dev.stint.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Asks stores whether charges may be made: all or nothing. It knows which rules, which keys and
 * what they cost; where these come from, a request or a call of a method, is the business of
 * whoever asks.
 */
final class RuleEngine {

  /** What the stores said: policy by policy, and as a whole. */
  record Outcome(List<Part> parts, boolean allowed) {}

  private final List<Question> questions;
  private final List<Decision> decisions;

  private RuleEngine(List<Charge> charges) {
    questions = Question.of(charges);
    decisions = new ArrayList<>(questions.size());
  }

  /** Asks about these charges, of which there is at least one. */
  static Outcome ask(List<Charge> charges) {
    RuleEngine engine = new RuleEngine(charges);
    while (!engine.isDecided()) {
      engine.decisions.add(engine.next().ask());
    }
    return engine.outcome();
  }

  /**
   * As {@link #ask}, without blocking a thread.
   *
   * @param executor runs {@code then}, if the stores do not answer at once
   */
  static <R> CompletionStage<R> askAsync(
      List<Charge> charges, Executor executor, Function<Outcome, R> then) {
    RuleEngine engine = new RuleEngine(charges);
    return Continuation.of(
        engine.askAsync(),
        executor,
        decided -> then.apply(engine.outcome()),
        decided -> engine.refund(engine.decisions.size()));
  }

  private CompletionStage<Decision> askAsync() {
    return next()
        .askAsync()
        .thenCompose(
            decision -> {
              decisions.add(decision);
              return isDecided() ? CompletableFuture.completedFuture(decision) : askAsync();
            });
  }

  private Question next() {
    return questions.get(decisions.size());
  }

  private boolean isDecided() {
    int asked = decisions.size();
    return asked > 0 && (asked == questions.size() || !decisions.get(asked - 1).allowed());
  }

  private Outcome outcome() {
    int last = decisions.size() - 1;
    boolean allowed = decisions.get(last).allowed();
    if (!allowed) {
      refund(last);
    }
    if (questions.size() == 1) {
      return new Outcome(questions.get(0).parts(decisions.get(0)), allowed);
    }
    List<Part> parts = new ArrayList<>(2);
    for (int i = 0; i <= last; i++) {
      parts.addAll(questions.get(i).parts(decisions.get(i)));
    }
    return new Outcome(parts, allowed);
  }

  /** Gives back what the first so many questions have taken. */
  private void refund(int count) {
    for (int i = 0; i < count; i++) {
      if (decisions.get(i).allowed()) {
        questions.get(i).refund(decisions.get(i));
      }
    }
  }
}
