package dev.stint.spring;

import dev.stint.spring.method.RateLimitedAdvisor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The endpoint {@code stint}, where it is exposed. */
@AutoConfiguration(after = StintAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnAvailableEndpoint(StintEndpoint.class)
@ConditionalOnBean(HttpLimiters.class)
public class EndpointAutoConfiguration {

  @Bean
  @ConditionalOnMissingBean
  StintEndpoint stintEndpoint(
      HttpLimiters limiters,
      Stores stores,
      StintProperties properties,
      ObjectProvider<RulesReloader> reloader,
      ObjectProvider<RateLimitedAdvisor> methods) {
    return new StintEndpoint(
        limiters,
        stores,
        properties,
        reloader.getIfAvailable(),
        () -> methods.stream().flatMap(one -> one.budgets().stream()).toList());
  }
}
