package dev.stint.spring;

import dev.stint.Decision;
import dev.stint.Key;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.Store;
import dev.stint.algorithm.Operation;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A store whose hits are observations, of which tracing makes spans. They say which rules were
 * asked and what came of it, never whom it was about.
 */
final class ObservedStore extends WrappedStore {

  private static final String NAME = "stint.decision";

  private final ObservationRegistry registry;

  ObservedStore(Store inner, ObservationRegistry registry) {
    super(inner);
    this.registry = registry;
  }

  /** The registry is looked at each time: what listens to it may come after this store. */
  private boolean isObserved(Operation operation) {
    return operation == Operation.HIT && !registry.isNoop();
  }

  @Override
  public Decision run(Operation operation, Limit limit, Key key, long amount) {
    return isObserved(operation)
        ? observe(limit, () -> inner.run(operation, limit, key, amount))
        : inner.run(operation, limit, key, amount);
  }

  @Override
  public Decision ask(Operation operation, Limit limit, Key key, long cost) {
    return isObserved(operation)
        ? observe(limit, () -> inner.ask(operation, limit, key, cost))
        : inner.ask(operation, limit, key, cost);
  }

  private Decision observe(Limit limit, Supplier<Decision> call) {
    Observation observation = start(Verdict.rule(limit));
    try (Observation.Scope scope = observation.openScope()) {
      Decision answer = call.get();
      tell(observation, answer.allowed() ? Verdict.ALLOWED : Verdict.REFUSED, answer.degraded());
      return answer;
    } catch (RuntimeException e) {
      fail(observation, e);
      throw e;
    } finally {
      observation.stop();
    }
  }

  @Override
  public Decision run(Operation operation, List<KeyedLimit> limits) {
    if (!isObserved(operation)) {
      return inner.run(operation, limits);
    }
    Observation observation = start(rules(limits));
    try (Observation.Scope scope = observation.openScope()) {
      Decision answer = inner.run(operation, limits);
      tell(observation, Verdict.of(limits, answer), answer.degraded());
      return answer;
    } catch (RuntimeException e) {
      fail(observation, e);
      throw e;
    } finally {
      observation.stop();
    }
  }

  @Override
  public CompletionStage<Decision> runAsync(Operation operation, List<KeyedLimit> limits) {
    if (!isObserved(operation)) {
      return inner.runAsync(operation, limits);
    }
    Observation observation = start(rules(limits));
    try (Observation.Scope scope = observation.openScope()) {
      return inner
          .runAsync(operation, limits)
          .whenComplete((answer, thrown) -> finish(observation, limits, answer, thrown));
    } catch (RuntimeException e) {
      fail(observation, e);
      observation.stop();
      throw e;
    }
  }

  private static void finish(
      Observation observation,
      List<KeyedLimit> limits,
      @Nullable Decision answer,
      @Nullable Throwable thrown) {
    if (answer != null) {
      tell(observation, Verdict.of(limits, answer), answer.degraded());
    } else if (thrown != null) {
      fail(observation, thrown);
    }
    observation.stop();
  }

  private Observation start(String rules) {
    return Observation.createNotStarted(NAME, registry)
        .contextualName("rate limit")
        .lowCardinalityKeyValue("rule", rules)
        .start();
  }

  private static String rules(List<KeyedLimit> limits) {
    return limits.stream()
        .map(limit -> Verdict.rule(limit.limit()))
        .distinct()
        .collect(Collectors.joining(","));
  }

  private static void tell(Observation observation, Verdict outcome, boolean degraded) {
    observation
        .lowCardinalityKeyValue("outcome", outcome.word())
        .lowCardinalityKeyValue("degraded", Boolean.toString(degraded));
  }

  /** With the same keys as an answer has: a registry wants them alike. */
  private static void fail(Observation observation, Throwable thrown) {
    observation
        .error(thrown)
        .lowCardinalityKeyValue("outcome", "failed")
        .lowCardinalityKeyValue("degraded", "true");
  }
}
