package dev.stint.server.engine;

import dev.stint.Decision;
import dev.stint.Key;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.StoreException;
import dev.stint.algorithm.Operation;
import dev.stint.algorithm.Outcome;
import dev.stint.algorithm.State;
import dev.stint.server.config.Configuration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Decides by policies, for every wire alike.
 *
 * <p>Keys are bytes, UTF-8 where they are text, so that a key is the same key on every wire.
 */
public final class Engine implements AutoCloseable {

  private final Stores stores;
  private final Watch watch;
  private final Exceptions exceptions;
  private final Explainer explainer;
  private volatile Policies policies;

  /** An engine with the policies of {@code configuration}. */
  public Engine(Configuration configuration, Stores stores, Watch watch) {
    this.stores = stores;
    this.watch = watch;
    this.exceptions = new Exceptions(stores.time());
    this.explainer = new Explainer(exceptions, stores.time());
    this.policies = Policies.of(configuration, stores);
  }

  /** The policies in force. */
  public Policies policies() {
    return policies;
  }

  /** Puts other policies in force, all at once. What was counted stays. */
  public void reload(Configuration configuration) {
    policies = policies.next(configuration);
  }

  /** The stores behind the policies. */
  public Stores stores() {
    return stores;
  }

  /** The keys that are granted more than their policy, or blocked. */
  public Exceptions exceptions() {
    return exceptions;
  }

  /** Who looks on. */
  public Watch watch() {
    return watch;
  }

  /**
   * Whether {@link #ask} does not wait for anybody, so that an event loop may call it. Otherwise
   * use {@link #askAsync}.
   */
  public boolean isLocal() {
    return stores.isLocal();
  }

  /**
   * A hit or a peek.
   *
   * @param key not kept after the call, if the engine {@link #isLocal}
   */
  public Decision ask(Operation operation, Policy policy, byte[] key, long cost) {
    long start = System.nanoTime();
    Exceptions.Entry exception = exceptions.find(policy.name(), key);
    if (exception != null) {
      Decision decision = askExcepted(exception, operation, policy, key, cost);
      watched(policy, key, operation, cost, decision, start);
      return decision;
    }
    Terms terms = policy.termsFor(key);
    Key counted = policy.key(key);
    Limit only = terms.only();
    Decision decision =
        only == null
            ? policy.store().run(operation, terms.on(counted, cost))
            : policy.store().ask(operation, only, counted, cost);
    watched(policy, key, operation, cost, decision, start);
    if (policy.candidate() != null && operation == Operation.HIT) {
      tryCandidate(policy, key, cost, decision.allowed());
    }
    return decision;
  }

  /** A hit or a peek, wherever the store is. The stage never fails because of the store. */
  public CompletionStage<Decision> askAsync(
      Operation operation, Policy policy, byte[] key, long cost) {
    if (isLocal()) {
      return CompletableFuture.completedFuture(ask(operation, policy, key, cost));
    }
    long start = System.nanoTime();
    Exceptions.Entry exception = exceptions.find(policy.name(), key);
    CompletionStage<Decision> decided;
    if (exception != null && exception.kind() == Exceptions.Kind.BLOCK) {
      decided = CompletableFuture.completedFuture(blocked(exception, policy, key, cost));
    } else {
      List<KeyedLimit> asked = policy.termsFor(key).on(policy.key(key), cost);
      decided = policy.store().runAsync(operation, exception == null ? asked : watching(asked));
    }
    return decided.thenApply(
        decision -> {
          watched(policy, key, operation, cost, decision, start);
          if (exception == null && policy.candidate() != null && operation == Operation.HIT) {
            tryCandidate(policy, key, cost, decision.allowed());
          }
          return decision;
        });
  }

  private void watched(
      Policy policy, byte[] key, Operation operation, long cost, Decision decision, long start) {
    watch.decided(
        policy,
        key,
        operation,
        cost,
        decision.allowed(),
        decision.degraded(),
        decision.remaining(),
        decision.limit().capacity(),
        start,
        System.nanoTime());
  }

  /**
   * A key that is not under its policy alone. Its candidate is not asked: the two are to be
   * compared by their limits.
   */
  private Decision askExcepted(
      Exceptions.Entry exception, Operation operation, Policy policy, byte[] key, long cost) {
    if (exception.kind() == Exceptions.Kind.BLOCK) {
      return blocked(exception, policy, key, cost);
    }
    List<KeyedLimit> asked = policy.termsFor(key).on(policy.key(key), cost);
    return policy.store().run(operation, watching(asked));
  }

  private Decision blocked(Exceptions.Entry exception, Policy policy, byte[] key, long cost) {
    long now = stores.time().micros();
    return Blocked.decide(policy.termsFor(key), Key.of(key), cost, now, exception.until());
  }

  private static List<KeyedLimit> watching(List<KeyedLimit> asked) {
    return asked.stream().map(KeyedLimit::shadow).toList();
  }

  /**
   * A hit or a peek of an engine that {@link #isLocal}, which makes no object of its answer.
   *
   * @param limit the limit that came with the call; null to ask those of the policy
   * @param key of bytes; not kept
   * @param told gets the numbers of the answer
   * @param scratch a state to work with
   * @return the limit that decided
   */
  public Limit ask(
      Operation operation,
      Policy policy,
      @Nullable Limit limit,
      Key key,
      long cost,
      Outcome told,
      State scratch) {
    long start = System.nanoTime();
    byte[] bytes = bytes(key);
    Exceptions.Entry exception = limit == null ? exceptions.find(policy.name(), bytes) : null;
    if (exception != null) {
      return askExcepted(exception, operation, policy, bytes, cost, told, scratch, start);
    }
    Terms terms = policy.termsFor(bytes);
    Limit only = limit == null ? terms.only() : limit;
    Limit deciding;
    if (only == null) {
      Decision decision = policy.store().run(operation, terms.on(policy.key(key), cost));
      decision.describe(told, scratch);
      deciding = decision.limit();
    } else {
      policy.store().ask(operation, only, policy.key(key), cost, told, scratch);
      deciding = only;
    }
    watched(policy, bytes, operation, cost, told, deciding, start);
    if (policy.candidate() != null && operation == Operation.HIT) {
      tryCandidate(policy, bytes, cost, told.allowed);
    }
    return deciding;
  }

  private void watched(
      Policy policy,
      byte[] key,
      Operation operation,
      long cost,
      Outcome told,
      Limit deciding,
      long start) {
    watch.decided(
        policy,
        key,
        operation,
        cost,
        told.allowed,
        false,
        told.remaining,
        deciding.capacity(),
        start,
        System.nanoTime());
  }

  private Limit askExcepted(
      Exceptions.Entry exception,
      Operation operation,
      Policy policy,
      byte[] key,
      long cost,
      Outcome told,
      State scratch,
      long start) {
    Limit only = policy.termsFor(key).only();
    Limit deciding;
    if (only != null && exception.kind() == Exceptions.Kind.BLOCK) { // makes no object
      Blocked.tell(only, cost, stores.time().micros(), exception.until(), told);
      deciding = only;
    } else {
      Decision decision = askExcepted(exception, operation, policy, key, cost);
      decision.describe(told, scratch);
      told.allowed = decision.allowed(); // of a grant, the limit's own word may be another
      deciding = decision.limit();
    }
    watched(policy, key, operation, cost, told, deciding, start);
    return deciding;
  }

  private static byte[] bytes(Key key) {
    if (key.value() instanceof byte[] bytes) {
      return bytes;
    }
    throw new IllegalArgumentException("keys must be bytes on every wire: " + key);
  }

  /** A hit or a peek of a limit that came with the call, wherever the store is. */
  public CompletionStage<Decision> askAsync(
      Operation operation, Policy policy, Limit limit, byte[] key, long cost) {
    long start = System.nanoTime();
    return policy
        .store()
        .runAsync(operation, List.of(limit.on(key).amount(cost)))
        .thenApply(
            decision -> {
              watched(policy, key, operation, cost, decision, start);
              return decision;
            });
  }

  /**
   * Asks the candidate on its own, not together with the live policy: it must see also what the
   * live one refuses. Nobody waits for it.
   */
  private void tryCandidate(Policy live, byte[] key, long cost, boolean allowed) {
    Policy candidate = live.candidate();
    if (candidate == null) {
      return;
    }
    List<KeyedLimit> asked = candidate.termsFor(key).on(candidate.key(key), cost);
    candidate
        .store()
        .runAsync(Operation.HIT, asked)
        .thenAccept(tried -> watch.compared(live, allowed, candidate, tried.allowed()))
        .exceptionally(failure -> null);
  }

  /**
   * Any operation that is no question: inc, refund, set, get, reset.
   *
   * @return fails with {@link StoreException} when the store cannot be asked
   */
  public CompletionStage<Decision> tell(
      Operation operation, Policy policy, byte[] key, long amount) {
    List<KeyedLimit> limits = policy.termsFor(key).on(policy.key(key), amount);
    try {
      return policy.store().runAsync(operation, limits);
    } catch (StoreException e) { // a store may fail before it has a future
      return CompletableFuture.failedFuture(e);
    }
  }

  /**
   * What a hit would be answered now, and why. Takes nothing, and nobody is told.
   *
   * @return fails with {@link StoreException} when neither the store nor its stand-in can be asked
   */
  public CompletionStage<Explanation> explain(Policy policy, byte[] key, long cost) {
    return explainer.explain(policy, key, cost);
  }

  @Override
  public void close() {
    stores.close();
  }
}
