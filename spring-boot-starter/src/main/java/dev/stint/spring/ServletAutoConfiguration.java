package dev.stint.spring;

import dev.stint.http.HttpLimiter;
import dev.stint.http.servlet.RateLimitFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;

/** The rules in front of servlets, before and after the security chain. */
@AutoConfiguration(after = StintAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(Filter.class)
@ConditionalOnBean(HttpLimiters.class)
public class ServletAutoConfiguration {

  @Bean
  FilterRegistrationBean<RateLimitFilter> stintFilterBeforeAuthentication(HttpLimiters limiters) {
    return registration(
        limiters.beforeAuthentication(),
        "stintFilterBeforeAuthentication",
        FilterOrder.BEFORE_AUTHENTICATION);
  }

  @Bean
  FilterRegistrationBean<RateLimitFilter> stintFilterAfterAuthentication(HttpLimiters limiters) {
    FilterRegistrationBean<RateLimitFilter> registration =
        registration(
            limiters.afterAuthentication(),
            "stintFilterAfterAuthentication",
            FilterOrder.AFTER_AUTHENTICATION);
    registration.setEnabled(!limiters.afterAuthentication().isIdle());
    return registration;
  }

  private static FilterRegistrationBean<RateLimitFilter> registration(
      HttpLimiter limiter, String name, int order) {
    FilterRegistrationBean<RateLimitFilter> registration =
        new FilterRegistrationBean<>(new RateLimitFilter(limiter));
    registration.setName(name);
    registration.setOrder(order);
    registration.setDispatcherTypes(DispatcherType.REQUEST);
    registration.setAsyncSupported(true);
    return registration;
  }
}
