package dev.stint.spring;

import dev.stint.memory.MemoryStore;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;

/** What Micrometer is told of decisions and of the store: meters, and observations if asked for. */
@AutoConfiguration(
    after = StintAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
      "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
      "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
    })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({MeterRegistry.class, Stores.class})
public class MetricsAutoConfiguration {

  @Bean
  @Order(0)
  StoreDecorator stintMetrics(
      MeterRegistry registry,
      ObjectProvider<ObservationRegistry> observations,
      StintProperties properties) {
    DecisionMeters meters = new DecisionMeters(registry);
    ObservationRegistry observed =
        properties.observations()
            ? observations.getIfAvailable(() -> ObservationRegistry.NOOP)
            : ObservationRegistry.NOOP;
    return store -> new ObservedStore(store, meters, observed);
  }

  @Bean
  MeterBinder stintStoreMetrics(Stores stores) {
    return registry -> {
      Gauge.builder("stint.store.state", stores, all -> all.trouble().isEmpty() ? 1 : 0)
          .description("1 while the store can be asked, 0 while it cannot.")
          .tag("store", stores.kind())
          .register(registry);
      if (stores.primary() instanceof MemoryStore memory) {
        Gauge.builder("stint.keys", memory, MemoryStore::keys)
            .description("Keys that the store in memory counts one by one.")
            .register(registry);
      }
    };
  }
}
