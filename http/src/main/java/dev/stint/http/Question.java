package dev.stint.http;

import dev.stint.Decision;
import dev.stint.Key;
import dev.stint.KeyedLimit;
import dev.stint.RateLimiter;
import dev.stint.Store;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** What a request costs in one store, to be decided together. */
final class Question {

  private record Place(String identity, Key key) {}

  private final Store store;
  private final List<Charge> charges = new ArrayList<>(2);

  private Question(Store store) {
    this.store = store;
  }

  /** Adds a charge to the question for its store, a new one if there is none. */
  static void add(Charge charge, List<Question> questions) {
    Store store = charge.rule().store();
    for (Question question : questions) {
      if (question.store == store) {
        question.charges.add(charge);
        return;
      }
    }
    Question question = new Question(store);
    question.charges.add(charge);
    questions.add(question);
  }

  Decision ask() {
    if (isPlain()) {
      Charge only = charges.get(0);
      return only.rule().limiter().hit(only.key(), only.cost());
    }
    return RateLimiter.of(store).hit(limits());
  }

  CompletionStage<Decision> askAsync() {
    return RateLimiter.of(store).hitAsync(limits());
  }

  void refund(Decision decision) {
    Refunds.give(charges.get(0).rule().limiter(), decision);
  }

  private boolean isPlain() {
    return charges.size() == 1 && !charges.get(0).rule().rule().isShadow();
  }

  private KeyedLimit[] limits() {
    List<KeyedLimit> limits = new ArrayList<>();
    distinct((charge, policy) -> limits.add(charge.rule().on(policy, charge.key(), charge.cost())));
    return limits.toArray(KeyedLimit[]::new);
  }

  /** The answer, policy by policy. */
  void parts(Decision answer, List<Part> parts) {
    List<Decision> each = answer.limits();
    int first = parts.size();
    distinct(
        (charge, policy) ->
            parts.add(
                new Part(charge.rule(), policy, charge.key(), each.get(parts.size() - first))));
  }

  private interface Visitor {
    void visit(Charge charge, Policy policy);
  }

  /** Rules that share a name share a budget; where they meet, it is charged once. */
  private void distinct(Visitor visitor) {
    if (charges.size() == 1) {
      Charge only = charges.get(0);
      only.rule().policies().forEach(policy -> visitor.visit(only, policy));
      return;
    }
    Set<Place> seen = new HashSet<>();
    for (Charge charge : charges) {
      for (Policy policy : charge.rule().policies()) {
        if (seen.add(new Place(policy.limit().identity(), charge.key()))) {
          visitor.visit(charge, policy);
        }
      }
    }
  }
}
