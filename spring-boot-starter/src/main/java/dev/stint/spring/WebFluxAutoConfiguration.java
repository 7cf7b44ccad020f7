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

  private final boolean asksConnection;
  private final FilterOrder order;

  WebFluxAutoConfiguration(
      Environment environment,
      ListableBeanFactory beans,
      HttpLimiters limiters,
      StintProperties properties) {
    asksConnection = ForwardedHeaders.asksConnection(environment, beans, limiters, properties);
    order = FilterOrder.ofWebFlux(beans);
  }

  @Bean
  RateLimitWebFilter stintFilterBeforeAuthentication(
      HttpLimiters limiters, ApplicationContext application) {
    return new RateLimitWebFilter(
        limiters.beforeAuthentication(),
        order.beforeAuthentication(),
        false,
        application,
        asksConnection);
  }

  @Bean
  RateLimitWebFilter stintFilterAfterAuthentication(
      HttpLimiters limiters, ApplicationContext application) {
    return new RateLimitWebFilter(
        limiters.afterAuthentication(),
        order.afterAuthentication(),
        true,
        application,
        asksConnection);
  }
}
