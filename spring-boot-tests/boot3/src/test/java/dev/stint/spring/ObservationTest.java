package dev.stint.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Decision;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.Store;
import io.micrometer.common.KeyValue;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** Decisions as observations. */
class ObservationTest {

  private static final Limit LIMIT = Limit.parse("1/min").named("api");

  private final List<Observation.Context> seen = new CopyOnWriteArrayList<>();
  private final MeterRegistry meters = new SimpleMeterRegistry();
  private final ObservationRegistry registry = ObservationRegistry.create();
  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(StintAutoConfiguration.class, MetricsAutoConfiguration.class))
          .withBean(MeterRegistry.class, () -> meters)
          .withBean(ObservationRegistry.class, () -> registry)
          .withPropertyValues("stint.observations=true");

  private void listen() {
    registry
        .observationConfig()
        .observationHandler(
            new ObservationHandler<Observation.Context>() {
              @Override
              public boolean supportsContext(Observation.Context context) {
                return true;
              }

              @Override
              public void onStop(Observation.Context context) {
                seen.add(context);
              }
            });
  }

  private static RateLimiter limiter(ApplicationContext context, Limit... limits) {
    return RateLimiter.of(context.getBean(Stores.class).orElse(null), limits);
  }

  private Map<String, String> only() {
    assertThat(seen).hasSize(1);
    Observation.Context context = seen.get(0);
    assertThat(context.getName()).isEqualTo("stint.decision");
    assertThat(context.getHighCardinalityKeyValues()).isEmpty();
    return context.getLowCardinalityKeyValues().stream()
        .collect(Collectors.toMap(KeyValue::getKey, KeyValue::getValue));
  }

  @Test
  void a_hit_is_an_observation_without_its_key() {
    listen();
    runner.run(
        context -> {
          limiter(context, LIMIT).hit("ann");
          assertThat(only())
              .isEqualTo(Map.of("rule", "api", "outcome", "allowed", "degraded", "false"));
        });
  }

  @Test
  void rules_that_are_asked_together_are_one_observation() {
    listen();
    runner.run(
        context -> {
          limiter(context).hit(LIMIT.on("ann"), Limit.parse("1/hour").named("login").on("ann"));
          assertThat(only()).containsEntry("rule", "api,login");
        });
  }

  @Test
  void a_hit_without_a_thread_is_observed_when_it_is_decided() {
    listen();
    runner
        .withBean(Store.class, BrokenStore::new)
        .withPropertyValues("stint.on-store-error=deny")
        .run(
            context -> {
              Decision decision =
                  limiter(context, LIMIT).hitAsync("ann").toCompletableFuture().join();
              assertThat(decision.allowed()).isFalse();
              assertThat(only())
                  .isEqualTo(Map.of("rule", "api", "outcome", "refused", "degraded", "true"));
            });
  }

  @Test
  void a_rule_that_only_watches_says_what_it_would_have_refused() {
    listen();
    runner.run(
        context -> {
          limiter(context).hit(LIMIT.on("ann").shadow());
          seen.clear();
          limiter(context).hit(LIMIT.on("ann").shadow());
          assertThat(only()).containsEntry("outcome", "shadow_refused");
        });
  }

  @Test
  void a_peek_is_not_observed() {
    listen();
    runner.run(
        context -> {
          limiter(context, LIMIT).peek("ann");
          assertThat(seen).isEmpty();
        });
  }

  @Test
  void whoever_listens_may_come_later_than_the_store() {
    runner.run(
        context -> {
          RateLimiter limiter = limiter(context, LIMIT);
          limiter.hit("ann");
          listen();
          limiter.hit("bob");
          assertThat(only()).containsEntry("outcome", "allowed");
        });
  }

  @Test
  void they_are_there_only_if_asked_for_and_meters_always() {
    listen();
    new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(StintAutoConfiguration.class, MetricsAutoConfiguration.class))
        .withBean(MeterRegistry.class, () -> meters)
        .withBean(ObservationRegistry.class, () -> registry)
        .run(
            context -> {
              limiter(context, LIMIT).hit("ann");
              assertThat(seen).isEmpty();
              assertThat(hits()).isEqualTo(1);
            });
    runner.run(
        context -> {
          limiter(context, LIMIT).hit("ann");
          only();
          assertThat(hits()).as("the two do not count twice").isEqualTo(2);
        });
  }

  private double hits() {
    return meters.get("stint.decisions").counters().stream().mapToDouble(Counter::count).sum();
  }
}
