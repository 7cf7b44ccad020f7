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
import org.jspecify.annotations.Nullable;

/** What a request costs in one store, to be decided together. */
final class Question {

  private record Place(String identity, Key key) {}

  private final Store store;
  private final List<Charge> charges = new ArrayList<>(2);

  private Question(Store store) {
    this.store = store;
  }

  /** These charges, parted by their stores, in order. */
  static List<Question> of(List<Charge> charges) {
    List<Question> questions = new ArrayList<>(1);
    for (Charge charge : charges) {
      questionFor(charge.rule().store(), questions).add(charge);
    }
    return questions;
  }

  private static Question questionFor(Store store, List<Question> questions) {
    for (Question question : questions) {
      if (question.store == store) {
        return question;
      }
    }
    Question question = new Question(store);
    questions.add(question);
    return question;
  }

  /** Rules that only watch come last: where they share a budget, the others are asked for it. */
  private void add(Charge charge) {
    int at = charges.size();
    while (!isShadow(charge) && at > 0 && isShadow(charges.get(at - 1))) {
      at--;
    }
    charges.add(at, charge);
  }

  private static boolean isShadow(Charge charge) {
    return charge.rule().rule().isShadow();
  }

  Decision ask() {
    Charge only = only();
    return only == null
        ? RateLimiter.of(store).hit(limits())
        : only.rule().limiter().hit(only.key(), only.cost());
  }

  CompletionStage<Decision> askAsync() {
    Charge only = only();
    return only == null
        ? RateLimiter.of(store).hitAsync(limits())
        : only.rule().limiter().hitAsync(only.key(), only.cost());
  }

  /** The only charge, if its rule's own limiter can decide about it, the shortest way. */
  private @Nullable Charge only() {
    Charge first = charges.get(0);
    return charges.size() == 1 && !isShadow(first) && first.rule().isPrepared() ? first : null;
  }

  void refund(Decision decision) {
    Refunds.give(charges.get(0).rule().limiter(), decision);
  }

  private KeyedLimit[] limits() {
    List<KeyedLimit> limits = new ArrayList<>();
    distinct((charge, policy) -> limits.add(charge.rule().on(policy, charge.key(), charge.cost())));
    return limits.toArray(KeyedLimit[]::new);
  }

  /** The answer, policy by policy. */
  List<Part> parts(Decision answer) {
    if (charges.size() == 1) {
      return charges.get(0).parts(answer);
    }
    List<Decision> each = answer.limits();
    List<Part> parts = new ArrayList<>(each.size());
    distinct(
        (charge, policy) ->
            parts.add(new Part(charge.rule(), policy, charge.key(), each.get(parts.size()))));
    return parts;
  }

  private interface Visitor {
    void visit(Charge charge, Policy policy);
  }

  /** Rules that share a name share a budget; where they meet, it is charged once. */
  private void distinct(Visitor visitor) {
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
