package dev.stint.server.rls;

import dev.stint.Decision;
import dev.stint.Key;
import dev.stint.Limit;
import dev.stint.StoreException;
import dev.stint.algorithm.Operation;
import dev.stint.rls.RateLimitDescriptor;
import dev.stint.rls.RateLimitRequest;
import dev.stint.server.config.Bounds;
import dev.stint.server.engine.Engine;
import dev.stint.server.engine.Explanation;
import dev.stint.server.rls.tree.Domain;
import dev.stint.server.rls.tree.RlsRule;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Tells which rule a descriptor is under and what it would be answered. Nothing is counted. */
public final class RlsExplainer {

  private final Engine engine;
  private final RequestCheck check;

  /** One for this engine, within the bounds of its requests. */
  public RlsExplainer(Engine engine, Bounds bounds) {
    this.engine = engine;
    this.check = new RequestCheck(bounds);
  }

  /**
   * Explains a request with one descriptor.
   *
   * @throws IllegalArgumentException if it cannot be a request
   */
  public CompletionStage<Explanation> explain(
      String domainName, List<Map.Entry<String, String>> entries, long cost) {
    RateLimitDescriptor descriptor = descriptor(entries);
    try {
      check.check(
          RateLimitRequest.newBuilder().setDomain(domainName).addDescriptors(descriptor).build());
    } catch (BadRequest e) {
      throw new IllegalArgumentException(e.sentence(), e);
    }
    Domain domain = engine.policies().domains().domain(domainName);
    RlsRule rule = domain == null ? null : domain.find(descriptor);
    if (domain == null || rule == null) {
      Explanation.Rule none = Explanation.Rule.of(Explanation.Kind.NONE, "");
      return CompletableFuture.completedFuture(
          explanation(domainName, text(entries), cost, none, false, null, null));
    }
    Explanation.Rule found = Explanation.Rule.of(Explanation.Kind.RLS, rule.path());
    return state(rule, domain.key(descriptor), cost)
        .thenApply(
            state ->
                explanation(
                    domainName + "/" + rule.path(),
                    text(entries),
                    cost,
                    found,
                    rule.shadow(),
                    rule.limit(),
                    state));
  }

  private static RateLimitDescriptor descriptor(List<Map.Entry<String, String>> entries) {
    RateLimitDescriptor.Builder descriptor = RateLimitDescriptor.newBuilder();
    for (Map.Entry<String, String> entry : entries) {
      descriptor.addEntries(
          RateLimitDescriptor.Entry.newBuilder().setKey(entry.getKey()).setValue(entry.getValue()));
    }
    return descriptor.build();
  }

  private CompletionStage<Decision> state(RlsRule rule, byte[] key, long cost) {
    Limit limit = rule.limit();
    Decision always = rule.always();
    if (limit == null) {
      return always == null
          ? CompletableFuture.failedFuture(new IllegalStateException("a rule without an answer"))
          : CompletableFuture.completedFuture(always);
    }
    try {
      return engine
          .stores()
          .forEnvoyOrElse(rule.onStoreError())
          .runAsync(Operation.PEEK, List.of(limit.on(Key.of(key)).amount(cost)));
    } catch (StoreException e) { // a store may fail before it has a future
      return CompletableFuture.failedFuture(e);
    }
  }

  private static Explanation explanation(
      String policy,
      String key,
      long cost,
      Explanation.Rule rule,
      boolean shadow,
      @Nullable Limit limit,
      @Nullable Decision state) {
    List<Limit> limits = limit == null ? List.of() : List.of(limit);
    return new Explanation(policy, key, cost, shadow, rule, limits, state, null);
  }

  private static String text(List<Map.Entry<String, String>> entries) {
    return entries.stream()
        .map(entry -> entry.getKey() + "=" + entry.getValue())
        .collect(Collectors.joining(","));
  }
}
