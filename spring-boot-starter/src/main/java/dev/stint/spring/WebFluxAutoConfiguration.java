package dev.stint.spring;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.web.server.WebFilter;

/** The rules in front of WebFlux, before and after the security chain. */
@AutoConfiguration(after = StintAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(WebFilter.class)
@ConditionalOnBean(HttpLimiters.class)
public class WebFluxAutoConfiguration {

  @Bean
  RateLimitWebFilter stintFilterBeforeAuthentication(
      HttpLimiters limiters, ApplicationContext application) {
    return new RateLimitWebFilter(
        limiters.beforeAuthentication(), FilterOrder.BEFORE_AUTHENTICATION, application.getId());
  }

  @Bean
  RateLimitWebFilter stintFilterAfterAuthentication(
      HttpLimiters limiters, ApplicationContext application) {
    return new RateLimitWebFilter(
        limiters.afterAuthentication(), FilterOrder.AFTER_AUTHENTICATION, application.getId());
  }
}
