package dev.stint.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.Store;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** What Micrometer is told. */
class MetricsTest {

  private static final Limit LIMIT = Limit.parse("2/min").named("api");

  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(StintAutoConfiguration.class, MetricsAutoConfiguration.class))
          .withBean(SimpleMeterRegistry.class);

  private static RateLimiter limiter(ApplicationContext context, Limit... limits) {
    return RateLimiter.of(context.getBean(Stores.class).orElse(null), limits);
  }

  private static double count(
      ApplicationContext context, String rule, String outcome, boolean degraded) {
    Counter counter =
        context
            .getBean(MeterRegistry.class)
            .find("stint.decisions")
            .tags("rule", rule, "outcome", outcome, "degraded", Boolean.toString(degraded))
            .counter();
    return counter == null ? 0 : counter.count();
  }

  private static double gauge(ApplicationContext context, String name) {
    MeterRegistry registry = new SimpleMeterRegistry();
    context.getBean(MeterBinder.class).bindTo(registry);
    return registry.get(name).gauge().value();
  }

  @Test
  void a_hit_is_counted_by_rule_and_outcome() {
    runner.run(
        context -> {
          RateLimiter limiter = limiter(context, LIMIT);
          limiter.hit("ann");
          limiter.hit("ann");
          limiter.hit("ann");
          assertThat(count(context, "api", "allowed", false)).isEqualTo(2);
          assertThat(count(context, "api", "refused", false)).isEqualTo(1);
        });
  }

  @Test
  void a_hit_without_a_thread_is_counted_alike() {
    runner.run(
        context -> {
          limiter(context, LIMIT).hitAsync("ann").toCompletableFuture().join();
          assertThat(count(context, "api", "allowed", false)).isEqualTo(1);
        });
  }

  @Test
  void a_peek_is_no_decision() {
    runner.run(
        context -> {
          limiter(context, LIMIT).peek("ann");
          limiter(context, LIMIT).reset("ann");
          assertThat(context.getBean(MeterRegistry.class).find("stint.decisions").counter())
              .isNull();
        });
  }

  @Test
  void rules_that_are_asked_together_are_each_counted_by_their_own_outcome() {
    runner.run(
        context -> {
          Limit tight = Limit.parse("1/hour").named("login");
          limiter(context).hit(LIMIT.on("ann"), tight.on("ann"));
          limiter(context).hit(LIMIT.on("ann"), tight.on("ann"));
          assertThat(count(context, "api", "allowed", false)).isEqualTo(2);
          assertThat(count(context, "login", "allowed", false)).isEqualTo(1);
          assertThat(count(context, "login", "refused", false)).isEqualTo(1);
        });
  }

  @Test
  void a_rule_with_several_limits_is_counted_once_and_refuses_if_one_does() {
    runner.run(
        context -> {
          RateLimiter limiter = limiter(context, LIMIT, Limit.parse("1/hour").named("api"));
          limiter.hit("ann");
          limiter.hit("ann");
          assertThat(count(context, "api", "allowed", false)).isEqualTo(1);
          assertThat(count(context, "api", "refused", false)).isEqualTo(1);
        });
  }

  @Test
  void a_rule_that_only_watches_counts_what_it_would_have_refused() {
    runner.run(
        context -> {
          Limit tight = Limit.parse("1/hour").named("watcher");
          limiter(context).hit(tight.on("ann").shadow());
          assertThat(limiter(context).hit(tight.on("ann").shadow()).allowed()).isTrue();
          assertThat(count(context, "watcher", "shadow_refused", false)).isEqualTo(1);
        });
  }

  @Test
  void a_limit_without_a_name_belongs_to_no_rule() {
    runner.run(
        context -> {
          limiter(context, Limit.parse("2/min")).hit("ann");
          assertThat(count(context, "none", "allowed", false)).isEqualTo(1);
        });
  }

  @Test
  void a_decision_in_the_place_of_a_broken_store_is_counted_as_degraded() {
    runner
        .withBean(Store.class, BrokenStore::new)
        .withPropertyValues("stint.on-store-error=deny")
        .run(
            context -> {
              limiter(context, LIMIT).hit("ann");
              assertThat(count(context, "api", "refused", true)).isEqualTo(1);
            });
  }

  @Test
  void decisions_are_timed_by_outcome() {
    runner.run(
        context -> {
          limiter(context, LIMIT).hit("ann");
          Timer timer =
              context
                  .getBean(MeterRegistry.class)
                  .get("stint.decision.duration")
                  .tag("outcome", "allowed")
                  .timer();
          assertThat(timer.count()).isEqualTo(1);
        });
  }

  @Test
  void ten_thousand_keys_make_no_more_meters_than_one() {
    runner.run(
        context -> {
          MeterRegistry registry = context.getBean(MeterRegistry.class);
          RateLimiter limiter = limiter(context, LIMIT);
          limiter.hit("key");
          List<?> meters = registry.getMeters();
          for (int i = 0; i < 10_000; i++) {
            limiter.hit("key" + i);
          }
          assertThat(registry.getMeters()).hasSameSizeAs(meters);
          assertThat(count(context, "api", "allowed", false)).isEqualTo(10_001);
        });
  }

  @Test
  void the_store_in_memory_can_be_asked_and_tells_how_many_keys_it_has() {
    runner.run(
        context -> {
          limiter(context, LIMIT).hit("ann");
          assertThat(gauge(context, "stint.store.state")).isEqualTo(1);
          assertThat(gauge(context, "stint.keys")).isEqualTo(1);
        });
  }

  @Test
  void the_state_of_a_store_follows_its_troubles() {
    BrokenStore store = new BrokenStore();
    runner
        .withBean(Store.class, () -> store)
        .run(
            context -> {
              assertThat(gauge(context, "stint.store.state")).isEqualTo(0);
              store.mend();
              assertThat(gauge(context, "stint.store.state")).isEqualTo(1);
            });
  }

  @Test
  void without_a_registry_nothing_is_metered() {
    new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(StintAutoConfiguration.class, MetricsAutoConfiguration.class))
        .run(context -> assertThat(context).doesNotHaveBean(StoreDecorator.class));
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void requests_are_counted_in_an_application(String kind) throws Exception {
    String[] properties = {
      "stint.rules.api.limit=2/min",
      "stint.rules.api.match=/hello",
      "management.endpoints.web.exposure.include=metrics"
    };
    try (RunningApp app = RunningApp.of(kind, HelloApp.class, properties)) {
      app.get("/hello");
      app.get("/hello");
      app.get("/hello");
      assertThat(app.get("/actuator/metrics/stint.decisions?tag=outcome:allowed").body())
          .contains("\"value\":2.0");
      assertThat(app.get("/actuator/metrics/stint.decisions?tag=outcome:refused").body())
          .contains("\"value\":1.0");
      assertThat(app.get("/actuator/metrics/stint.store.state").body()).contains("\"value\":1.0");
      assertThat(app.get("/actuator/metrics/stint.keys").body()).contains("\"value\":1.0");
    }
  }
}
