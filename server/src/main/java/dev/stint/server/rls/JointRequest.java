package dev.stint.server.rls;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.Store;
import dev.stint.StoreException;
import dev.stint.algorithm.Operation;
import dev.stint.rls.RateLimitDescriptor;
import dev.stint.rls.RateLimitRequest;
import dev.stint.rls.RateLimitResponse;
import dev.stint.rls.RateLimitResponse.Code;
import dev.stint.rls.RateLimitResponse.DescriptorStatus;
import dev.stint.server.config.OnStoreError;
import dev.stint.server.engine.Engine;
import dev.stint.server.engine.Stores;
import dev.stint.server.rls.tree.Domain;
import dev.stint.server.rls.tree.RlsRule;
import dev.stint.server.rls.tree.RlsTree;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way: its rules are found, what counts in the same place is put together, the
 * store is asked, and every descriptor gets its status.
 *
 * <p>Questions (an addend of zero) are asked first. If one of them is over, or a rule allows
 * nothing at all, the request is refused already, and its hits only look, except where denied hits
 * count. What is given back is given back in any case.
 *
 * <p>A request is asked of one store, so its strictest rule says what happens when that is away:
 * deny, then local, then allow.
 */
final class JointRequest {

  private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

  private final long start = System.nanoTime();
  private final Engine engine;
  private final RlsTree tree;
  private final RateLimitRequest request;
  private final Statuses statuses;
  private final @Nullable RlsRule[] rules;
  private final @Nullable Charge[] charges;
  private final List<Charge> places = new ArrayList<>();
  private OnStoreError strictest = OnStoreError.ALLOW;

  /** Whether the questions took so long that there is no time for a second trip. */
  private boolean late;

  JointRequest(
      Engine engine,
      RlsTree tree,
      @Nullable Domain domain,
      Statuses statuses,
      RateLimitRequest request) {
    this.engine = engine;
    this.tree = tree;
    this.request = request;
    this.statuses = statuses;
    this.rules = new RlsRule[request.getDescriptorsCount()];
    this.charges = new Charge[rules.length];
    if (domain != null) {
      findRules(domain);
      switchOffReplaced();
      collectCharges(domain);
    }
  }

  private void findRules(Domain domain) {
    for (int i = 0; i < rules.length; i++) {
      rules[i] = RlsDecider.rule(tree, domain, request.getDescriptors(i));
    }
  }

  /** Every rule may switch off others by name, also one that is switched off itself. */
  private void switchOffReplaced() {
    Set<String> replaced = new HashSet<>();
    for (RlsRule rule : rules) {
      if (rule != null) {
        replaced.addAll(rule.replaces());
      }
    }
    for (int i = 0; i < rules.length && !replaced.isEmpty(); i++) {
      RlsRule rule = rules[i];
      if (rule != null && replaced.contains(rule.name())) {
        rules[i] = null;
      }
    }
  }

  private void collectCharges(Domain domain) {
    // Ordered, not hashed: nobody can choose keys that make it slow.
    TreeMap<Charge, Charge> known = new TreeMap<>(Charge.BY_PLACE);
    for (int i = 0; i < rules.length; i++) {
      RlsRule rule = rules[i];
      Limit limit = rule == null ? null : rule.limit();
      if (rule == null || limit == null) {
        continue;
      }
      strictest = stricter(strictest, rule.onStoreError());
      Charge charge = charge(domain, rule, limit, request.getDescriptors(i));
      Charge same = known.putIfAbsent(charge, charge);
      if (same == null) {
        places.add(charge);
      } else {
        same.add(charge);
      }
      charges[i] = same == null ? charge : same;
    }
  }

  private Charge charge(Domain domain, RlsRule rule, Limit limit, RateLimitDescriptor descriptor) {
    long addend = Charge.addend(request, descriptor);
    Operation operation = Charge.operation(descriptor, addend);
    return new Charge(operation, limit, domain.key(descriptor), addend, rule.shadow());
  }

  private static OnStoreError stricter(OnStoreError one, OnStoreError other) {
    if (one == OnStoreError.DENY || other == OnStoreError.DENY) {
      return OnStoreError.DENY;
    }
    return one == OnStoreError.LOCAL ? one : other;
  }

  CompletableFuture<RateLimitResponse> decide() {
    CompletableFuture<Void> givenBack = run(Operation.REFUND, of(Operation.REFUND));
    List<Charge> questions = of(Operation.PEEK);
    return run(Operation.PEEK, questions)
        .thenCompose(
            asked -> {
              late = !questions.isEmpty() && isHalfOver();
              return hit(of(Operation.HIT));
            })
        .thenCombine(givenBack, (hit, back) -> answer());
  }

  private boolean isHalfOver() {
    return System.nanoTime() - start > engine.policies().rls().deadline().toNanos() / 2;
  }

  private CompletableFuture<Void> hit(List<Charge> hits) {
    if (hits.isEmpty() || !isRefusedAlready()) {
      return run(Operation.HIT, hits);
    }
    CompletableFuture<Void> counted = run(Operation.HIT, some(hits, Charge::countsDenied));
    CompletableFuture<Void> looked = run(Operation.PEEK, some(hits, hit -> !hit.countsDenied()));
    return CompletableFuture.allOf(counted, looked);
  }

  private boolean isRefusedAlready() {
    for (int i = 0; i < rules.length; i++) {
      RlsRule rule = rules[i];
      Charge charge = charges[i];
      Decision known = rule == null ? null : charge == null ? rule.always() : charge.answer;
      if (rule != null && !rule.shadow() && known != null && !known.allowed()) {
        return true;
      }
    }
    return false;
  }

  private List<Charge> of(Operation operation) {
    return some(places, charge -> charge.operation == operation);
  }

  private static List<Charge> some(List<Charge> charges, Predicate<Charge> wanted) {
    List<Charge> found = new ArrayList<>(charges.size());
    for (Charge charge : charges) {
      if (wanted.test(charge)) {
        found.add(charge);
      }
    }
    return found;
  }

  /** Asks the store, and gives every charge its answer. */
  private CompletableFuture<Void> run(Operation operation, List<Charge> wanted) {
    if (wanted.isEmpty()) {
      return DONE;
    }
    List<KeyedLimit> asked = new ArrayList<>(wanted.size());
    for (Charge charge : wanted) {
      asked.add(charge.asked());
    }
    return ask(operation, asked)
        .handle((answer, failure) -> failure == null ? answer : without(operation, asked, failure))
        .thenAccept(answer -> share(answer, wanted))
        .toCompletableFuture();
  }

  private CompletionStage<Decision> ask(Operation operation, List<KeyedLimit> asked) {
    try {
      return store().runAsync(operation, asked);
    } catch (StoreException e) { // a store may fail before it has a future
      return CompletableFuture.failedFuture(e);
    }
  }

  private Store store() {
    Stores stores = engine.stores();
    return late ? stores.forTheLateOrElse(strictest) : stores.forEnvoyOrElse(strictest);
  }

  /** The answer when even the store's stand-in has failed. What was to be given back is lost. */
  private @Nullable Decision without(
      Operation operation, List<KeyedLimit> asked, Throwable failure) {
    if (!operation.asks()) {
      return null;
    }
    Store fixed = strictest == OnStoreError.DENY ? Store.denying() : Store.admitting();
    Decision answer = fixed.run(operation, asked);
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof StoreException failed) {
      failed.answered(answer.allowed());
    }
    return answer;
  }

  private static void share(@Nullable Decision answer, List<Charge> wanted) {
    for (int i = 0; answer != null && i < wanted.size(); i++) {
      wanted.get(i).answer = answer.limits().get(i);
    }
  }

  private RateLimitResponse answer() {
    long ended = System.nanoTime();
    Code overall = Code.OK;
    RateLimitResponse.Builder response = RateLimitResponse.newBuilder();
    for (int i = 0; i < rules.length; i++) {
      DescriptorStatus status = status(rules[i], charges[i]);
      overall = status.getCode() == Code.OVER_LIMIT ? Code.OVER_LIMIT : overall;
      response.addStatuses(status);
      report(rules[i], charges[i], request.getDescriptors(i), ended);
    }
    return response.setOverallCode(overall).build();
  }

  private DescriptorStatus status(@Nullable RlsRule rule, @Nullable Charge charge) {
    if (rule == null) {
      return Statuses.NO_RULE;
    }
    return charge == null ? statuses.ofFixed(rule) : statuses.of(rule, charge.answer);
  }

  private void report(
      @Nullable RlsRule rule, @Nullable Charge charge, RateLimitDescriptor descriptor, long ended) {
    if (rule == null) {
      return;
    }
    long addend = Charge.addend(request, descriptor);
    Operation operation = Charge.operation(descriptor, addend);
    Decision decision = charge == null ? rule.always() : charge.answer;
    if (decision != null && operation.asks()) {
      engine
          .watch()
          .decided(
              request.getDomain(),
              rule.path(),
              RlsTree.label(rule, descriptor),
              rule.shadow(),
              operation,
              addend,
              decision,
              start,
              ended);
    }
  }
}
