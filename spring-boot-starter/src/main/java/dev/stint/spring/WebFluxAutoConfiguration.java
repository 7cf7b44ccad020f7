package dev.stint.spring;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.web.server.WebFilter;

/** The rules in front of WebFlux, before and after the security chain. */
@AutoConfiguration(after = StintAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(WebFilter.class)
@ConditionalOnBean(HttpLimiters.class)
public class WebFluxAutoConfiguration {

  private final RemoteAddresses addresses;
  private final FilterOrder order;

  WebFluxAutoConfiguration(
      Environment environment,
      ListableBeanFactory beans,
      HttpLimiters limiters,
      StintProperties properties) {
    addresses = new RemoteAddresses(environment, beans, properties, () -> limiters);
    limiters.check(addresses::check);
    order = FilterOrder.ofWebFlux(beans);
  }

  @Bean
  RateLimitWebFilter stintFilterBeforeAuthentication(
      HttpLimiters limiters, ApplicationContext application) {
    return new RateLimitWebFilter(
        limiters, order.beforeAuthentication(), false, application, addresses::askConnection);
  }

  @Bean
  RateLimitWebFilter stintFilterAfterAuthentication(
      HttpLimiters limiters, ApplicationContext application) {
    return new RateLimitWebFilter(
        limiters, order.afterAuthentication(), true, application, addresses::askConnection);
  }
}
