package dev.stint.spring;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** How the store is, for the health endpoint of Boot 3. */
@AutoConfiguration(after = StintAutoConfiguration.class)
@ConditionalOnClass(name = "org.springframework.boot.actuate.health.HealthIndicator")
@ConditionalOnEnabledHealthIndicator("stint")
@ConditionalOnBean(Stores.class)
public class Boot3HealthAutoConfiguration {

  @Bean
  HealthIndicator stintHealthIndicator(Stores stores, ObjectProvider<RulesReloader> reloader) {
    StoreHealth health = new StoreHealth(stores, reloader.getIfAvailable());
    return () ->
        health.report((status, details) -> Health.status(status).withDetails(details).build());
  }
}
