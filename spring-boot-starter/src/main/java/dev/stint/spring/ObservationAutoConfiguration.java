package dev.stint.spring;

import io.micrometer.observation.ObservationRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;

/** Decisions as observations, and so as spans where the application traces. */
@AutoConfiguration(
    after = StintAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
      "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
    })
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean({ObservationRegistry.class, Stores.class})
@ConditionalOnProperty(name = "stint.observations", matchIfMissing = true)
public class ObservationAutoConfiguration {

  @Bean
  @Order(100) // around the metrics, whose own time is then part of the span
  StoreDecorator stintObservations(ObservationRegistry registry) {
    return store -> new ObservedStore(store, registry);
  }
}
