package dev.stint.server.rls;

import dev.stint.Decision;
import dev.stint.Key;
import dev.stint.Limit;
import dev.stint.Store;
import dev.stint.algorithm.Operation;
import dev.stint.rls.RateLimitDescriptor;
import dev.stint.rls.RateLimitRequest;
import dev.stint.rls.RateLimitResponse;
import dev.stint.server.config.Bounds;
import dev.stint.server.config.OnStoreError;
import dev.stint.server.config.Permission;
import dev.stint.server.engine.Engine;
import dev.stint.server.net.Caller;
import dev.stint.server.net.Permissions;
import dev.stint.server.rls.tree.Domain;
import dev.stint.server.rls.tree.RlsRule;
import dev.stint.server.rls.tree.RlsTree;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Decides requests of Envoy's rate limit service.
 *
 * <p>All descriptors of a request are one hit: it passes if all have room. A refused request is
 * charged all the same, except under rules that say otherwise. Rules that only watch never refuse.
 */
final class RlsDecider {

  private final Engine engine;
  private final RequestCheck check;
  private final Statuses statuses;

  RlsDecider(Engine engine, Bounds bounds) {
    this.engine = engine;
    this.check = new RequestCheck(bounds);
    this.statuses = new Statuses(store(OnStoreError.LOCAL).time());
  }

  private Store store(OnStoreError answer) {
    return engine.stores().forEnvoyOrElse(answer);
  }

  /**
   * Decides a request. In memory the answer is there when this returns; otherwise it may come from
   * a foreign thread. It never fails because of the store.
   *
   * @throws BadRequest if there is nothing to decide
   * @throws NotPermitted if its sender may not do all of it, and then nothing is done
   */
  CompletableFuture<RateLimitResponse> decide(RateLimitRequest request, Permissions permissions) {
    check.check(request);
    checkPermissions(request, permissions);
    RlsTree tree = engine.policies().domains();
    Domain domain = tree.domain(request.getDomain());
    if (domain != null && request.getDescriptorsCount() == 1) {
      return decideOne(tree, domain, request);
    }
    return new JointRequest(engine, tree, domain, statuses, request).decide();
  }

  /** What is given back changes a count; everything else is a decision. */
  private static void checkPermissions(RateLimitRequest request, Permissions permissions) {
    boolean decides = false;
    boolean changes = false;
    for (int i = 0; i < request.getDescriptorsCount(); i++) {
      RateLimitDescriptor descriptor = request.getDescriptors(i);
      long addend = Charge.addend(request, descriptor);
      boolean asks = Charge.operation(descriptor, addend).asks();
      decides |= asks;
      changes |= !asks;
    }
    if (decides) {
      require(permissions, Permission.DECIDE);
    }
    if (changes) {
      require(permissions, Permission.CHANGE);
    }
  }

  private static void require(Permissions permissions, Permission needed) {
    Caller.Denial denial = permissions.denial(needed);
    if (denial != null) {
      throw new NotPermitted(denial.sentence());
    }
  }

  /** The rule for a descriptor: the one it brought along, or one of the configuration. */
  static @Nullable RlsRule rule(RlsTree tree, Domain domain, RateLimitDescriptor descriptor) {
    return descriptor.hasLimit()
        ? tree.override(domain, descriptor.getLimit())
        : domain.find(descriptor);
  }

  /** The short way for a single descriptor: nothing can be merged or replaced. */
  private CompletableFuture<RateLimitResponse> decideOne(
      RlsTree tree, Domain domain, RateLimitRequest request) {
    RateLimitDescriptor descriptor = request.getDescriptors(0);
    RlsRule rule = rule(tree, domain, descriptor);
    Limit limit = rule == null ? null : rule.limit();
    if (!engine.isLocal() || rule == null || limit == null) {
      return new JointRequest(engine, tree, domain, statuses, request).decide();
    }
    long start = System.nanoTime();
    long addend = Charge.addend(request, descriptor);
    Operation operation = Charge.operation(descriptor, addend);
    Key key = Key.of(domain.key(descriptor));
    Decision answer = store(rule.onStoreError()).run(operation, limit, key, addend);
    if (operation.asks()) {
      String label = RlsTree.label(rule, descriptor);
      engine
          .watch()
          .decided(
              domain.name(),
              rule.path(),
              label,
              rule.shadow(),
              operation,
              addend,
              answer,
              start,
              System.nanoTime());
    }
    return CompletableFuture.completedFuture(Statuses.alone(statuses.of(rule, answer)));
  }
}
