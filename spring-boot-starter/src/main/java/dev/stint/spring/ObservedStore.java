package dev.stint.spring;

import dev.stint.Decision;
import dev.stint.ForwardingStore;
import dev.stint.Key;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.Store;
import dev.stint.algorithm.Operation;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/**
 * A store whose hits are counted and timed; all other operations are no decisions. If there is a
 * registry for them, hits are observations too, of which tracing makes spans. They say which rules
 * were asked and what came of it, never whom it was about.
 */
final class ObservedStore extends ForwardingStore {

  private static final String NAME = "stint.decision";

  private final DecisionMeters meters;
  private final ObservationRegistry registry;

  /**
   * A store around {@code inner}.
   *
   * @param registry {@link ObservationRegistry#NOOP} if there are to be meters only
   */
  ObservedStore(Store inner, DecisionMeters meters, ObservationRegistry registry) {
    super(inner);
    this.meters = meters;
    this.registry = registry;
  }

  @Override
  public Decision run(Operation operation, Limit limit, Key key, long amount) {
    if (operation != Operation.HIT) {
      return inner().run(operation, limit, key, amount);
    }
    Observation observation = start(limit);
    try (Observation.Scope scope = observation.openScope()) {
      long began = meters.nanos();
      return noted(limit, inner().run(operation, limit, key, amount), began, observation);
    } catch (RuntimeException e) {
      fail(observation, e);
      throw e;
    } finally {
      observation.stop();
    }
  }

  @Override
  public Decision ask(Operation operation, Limit limit, Key key, long cost) {
    if (operation != Operation.HIT) {
      return inner().ask(operation, limit, key, cost);
    }
    Observation observation = start(limit);
    try (Observation.Scope scope = observation.openScope()) {
      long began = meters.nanos();
      return noted(limit, inner().ask(operation, limit, key, cost), began, observation);
    } catch (RuntimeException e) {
      fail(observation, e);
      throw e;
    } finally {
      observation.stop();
    }
  }

  @Override
  public Decision run(Operation operation, List<KeyedLimit> limits) {
    if (operation != Operation.HIT) {
      return inner().run(operation, limits);
    }
    Observation observation = start(limits);
    try (Observation.Scope scope = observation.openScope()) {
      long began = meters.nanos();
      return noted(limits, inner().run(operation, limits), began, observation);
    } catch (RuntimeException e) {
      fail(observation, e);
      throw e;
    } finally {
      observation.stop();
    }
  }

  @Override
  public CompletionStage<Decision> runAsync(Operation operation, List<KeyedLimit> limits) {
    if (operation != Operation.HIT) {
      return inner().runAsync(operation, limits);
    }
    Observation observation = start(limits);
    try (Observation.Scope scope = observation.openScope()) {
      long began = meters.nanos();
      return inner()
          .runAsync(operation, limits)
          .whenComplete(
              (answer, thrown) -> {
                if (answer != null) {
                  noted(limits, answer, began, observation);
                } else if (thrown != null) {
                  fail(observation, thrown);
                }
                observation.stop();
              });
    } catch (RuntimeException e) {
      fail(observation, e);
      observation.stop();
      throw e;
    }
  }

  private Decision noted(Limit limit, Decision answer, long began, Observation observation) {
    meters.count(limit, answer, began);
    if (!observation.isNoop()) {
      tell(observation, answer.allowed() ? Verdict.ALLOWED : Verdict.REFUSED, answer.degraded());
    }
    return answer;
  }

  private Decision noted(
      List<KeyedLimit> limits, Decision answer, long began, Observation observation) {
    meters.count(limits, answer, began);
    if (!observation.isNoop()) {
      tell(observation, Verdict.of(limits, answer), answer.degraded());
    }
    return answer;
  }

  /** The registry is looked at each time: what listens to it may come after this store. */
  private Observation start(Limit limit) {
    return registry.isNoop() ? Observation.NOOP : start(Verdict.rule(limit));
  }

  private Observation start(List<KeyedLimit> limits) {
    return registry.isNoop()
        ? Observation.NOOP
        : start(
            limits.stream()
                .map(limit -> Verdict.rule(limit.limit()))
                .distinct()
                .collect(Collectors.joining(",")));
  }

  private Observation start(String rules) {
    return Observation.createNotStarted(NAME, registry)
        .contextualName("rate limit")
        .lowCardinalityKeyValue("rule", rules)
        .start();
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
