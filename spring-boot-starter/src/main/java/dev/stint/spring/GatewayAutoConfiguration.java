package dev.stint.spring;

import dev.stint.spring.gateway.GatewayRateLimiter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.cloud.gateway.filter.ratelimit.RateLimiter;
import org.springframework.cloud.gateway.support.ConfigurationService;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The limiter of Spring Cloud Gateway's routes. Where the Gateway has another one, such as its own
 * on Redis, that stays the default, and routes name this one as {@code #{@stintRateLimiter}}.
 */
@AutoConfiguration(
    after = StintAutoConfiguration.class,
    afterName = "org.springframework.cloud.gateway.config.GatewayRedisAutoConfiguration",
    beforeName = "org.springframework.cloud.gateway.config.GatewayAutoConfiguration")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(RateLimiter.class)
@ConditionalOnBean(Stores.class)
public class GatewayAutoConfiguration {

  private static GatewayRateLimiter limiter(
      ConfigurationService configuration, StintProperties properties, Stores stores) {
    return new GatewayRateLimiter(
        configuration,
        rule -> LimiterFactory.answeringCalls(properties, stores).rule(rule).build());
  }

  /** Where it is the only one. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnMissingBean(RateLimiter.class)
  static class Only {

    @Bean
    GatewayRateLimiter stintRateLimiter(
        ConfigurationService configuration, StintProperties properties, Stores stores) {
      return limiter(configuration, properties, stores);
    }
  }

  /** Where there is another. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnBean(RateLimiter.class)
  @ConditionalOnMissingBean(GatewayRateLimiter.class)
  static class Beside {

    @Bean(defaultCandidate = false)
    GatewayRateLimiter stintRateLimiter(
        ConfigurationService configuration, StintProperties properties, Stores stores) {
      return limiter(configuration, properties, stores);
    }
  }
}
