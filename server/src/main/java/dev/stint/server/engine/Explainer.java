package dev.stint.server.engine;

import dev.stint.Decision;
import dev.stint.Limit;
import dev.stint.StoreException;
import dev.stint.TimeSource;
import dev.stint.algorithm.Operation;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Explains policies; nobody who watches is told. */
final class Explainer {

  private final Exceptions exceptions;
  private final TimeSource time;

  Explainer(Exceptions exceptions, TimeSource time) {
    this.exceptions = exceptions;
    this.time = time;
  }

  CompletionStage<Explanation> explain(Policy policy, byte[] key, long cost) {
    Overrides.Entry override = policy.overrideFor(key);
    Explanation.Rule rule = rule(policy, key, override);
    List<Limit> limits = override == null ? policy.settings().limits() : override.limits();
    CompletionStage<Explanation.@Nullable Tried> tried = tried(policy.candidate(), key, cost);
    return peek(policy, key, cost)
        .thenCombine(
            tried,
            (state, candidate) ->
                new Explanation(
                    policy.name(),
                    new String(key, StandardCharsets.UTF_8),
                    cost,
                    policy.isShadow(),
                    rule,
                    limits,
                    state,
                    candidate));
  }

  private Explanation.Rule rule(Policy policy, byte[] key, Overrides.@Nullable Entry override) {
    Exceptions.Entry exception = exceptions.find(policy.name(), key);
    if (exception != null) {
      return new Explanation.Rule(
          exception.kind() == Exceptions.Kind.GRANT
              ? Explanation.Kind.GRANT
              : Explanation.Kind.BLOCK,
          "",
          Math.max(1, exception.until() - time.micros()),
          exceptions.endMillis(exception));
    }
    if (override == null) {
      return Explanation.Rule.of(Explanation.Kind.USUAL, "");
    }
    return Explanation.Rule.of(
        override.isPrefix() ? Explanation.Kind.PREFIX : Explanation.Kind.EXACT, override.text());
  }

  private static CompletionStage<Explanation.@Nullable Tried> tried(
      @Nullable Policy candidate, byte[] key, long cost) {
    if (candidate == null) {
      return CompletableFuture.<Explanation.@Nullable Tried>completedFuture(null);
    }
    return peek(candidate, key, cost)
        .thenApply(state -> new Explanation.Tried(candidate.name(), state.allowed()));
  }

  private static CompletionStage<Decision> peek(Policy policy, byte[] key, long cost) {
    try {
      return policy
          .store()
          .runAsync(Operation.PEEK, policy.termsFor(key).on(policy.key(key), cost));
    } catch (StoreException e) { // a store may fail before it has a future
      return CompletableFuture.failedFuture(e);
    }
  }
}
