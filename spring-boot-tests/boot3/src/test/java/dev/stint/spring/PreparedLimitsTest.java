package dev.stint.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.ForwardingStore;
import dev.stint.Limit;
import dev.stint.http.PatternSyntax;
import dev.stint.spring.MethodApp.WatchedStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;

/** The application's store knows the limits of rules and annotations before it is asked. */
class PreparedLimitsTest {

  static class Orders {

    @RateLimited(value = "2/min", name = "orders")
    void all() {}
  }

  @Test
  void limits_of_methods_are_prepared_through_the_stores_that_watch() {
    MethodApp.with(Orders.class)
        .withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class))
        .withBean(SimpleMeterRegistry.class)
        .withBean(ObservationRegistry.class, ObservationRegistry::create)
        .run(
            context -> {
              context.getBean(Orders.class).all();
              assertThat(context.getBean(Stores.class).orElse(null))
                  .isInstanceOf(ForwardingStore.class);
              assertThat(context.getBean(WatchedStore.class).prepared)
                  .contains(Limit.parse("2/min").named("orders"));
            });
  }

  @Test
  void limits_of_rules_are_prepared() {
    MethodApp.with()
        .withPropertyValues("stint.rules.api.limit=100/min; 5000/day")
        .run(
            context -> {
              LimiterFactory factory =
                  new LimiterFactory(
                      context.getBean(StintProperties.class),
                      context.getBean(Stores.class),
                      context,
                      PatternSyntax.SEGMENTS);
              factory.builder(List.of()).build();
              assertThat(context.getBean(WatchedStore.class).prepared)
                  .contains(
                      Limit.parse("100/min").named("api"), Limit.parse("5000/day").named("api"));
            });
  }
}
