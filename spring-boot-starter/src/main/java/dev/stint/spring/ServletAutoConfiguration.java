package dev.stint.spring;

import dev.stint.http.HttpLimiter;
import dev.stint.http.servlet.RateLimitFilter;
import dev.stint.spring.gateway.RouteLimits;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.function.HandlerFilterFunction;

/** The rules in front of servlets, before and after the security chain. */
@AutoConfiguration(after = StintAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(Filter.class)
@ConditionalOnBean(HttpLimiters.class)
public class ServletAutoConfiguration {

  private final boolean asksConnection;
  private final FilterOrder order;

  ServletAutoConfiguration(
      Environment environment,
      ListableBeanFactory beans,
      HttpLimiters limiters,
      StintProperties properties) {
    asksConnection = ForwardedHeaders.asksConnection(environment, beans, limiters, properties);
    order = FilterOrder.ofServlets(environment, beans);
  }

  /** Makes the filter for a limiter, which sees requests in some way. */
  @FunctionalInterface
  interface FilterFactory
      extends BiFunction<HttpLimiter, UnaryOperator<HttpServletRequest>, RateLimitFilter> {}

  /** With MVC. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(DispatcherServlet.class)
  static class Mvc {

    @Bean
    FilterFactory stintMvcFilters(ApplicationContext context) {
      MvcHandlers handlers = new MvcHandlers(context);
      MvcCors cors = new MvcCors(context, handlers);
      return (limiter, seenAs) -> new MvcRateLimitFilter(limiter, seenAs, handlers, cors);
    }
  }

  @Bean
  FilterRegistrationBean<RateLimitFilter> stintFilterBeforeAuthentication(
      HttpLimiters limiters, ObjectProvider<FilterFactory> filters) {
    return registration(
        filters,
        limiters.beforeAuthentication(),
        "stintFilterBeforeAuthentication",
        order.beforeAuthentication());
  }

  @Bean
  FilterRegistrationBean<RateLimitFilter> stintFilterAfterAuthentication(
      HttpLimiters limiters, ObjectProvider<FilterFactory> filters) {
    FilterRegistrationBean<RateLimitFilter> registration =
        registration(
            filters,
            limiters.afterAuthentication(),
            "stintFilterAfterAuthentication",
            order.afterAuthentication());
    registration.setEnabled(!limiters.afterAuthentication().isIdle());
    return registration;
  }

  private FilterRegistrationBean<RateLimitFilter> registration(
      ObjectProvider<FilterFactory> filters, HttpLimiter limiter, String name, int place) {
    FilterFactory factory = filters.getIfAvailable(() -> RateLimitFilter::new);
    FilterRegistrationBean<RateLimitFilter> registration =
        new FilterRegistrationBean<>(
            factory.apply(
                limiter, asksConnection ? ConnectionPeer::asConnected : UnaryOperator.identity()));
    registration.setName(name);
    registration.setOrder(place);
    registration.setDispatcherTypes(DispatcherType.REQUEST);
    registration.setAsyncSupported(true);
    return registration;
  }

  /** With MVC. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(HandlerFilterFunction.class)
  static class Routes {

    @Bean
    @ConditionalOnMissingBean
    RouteLimits stintRouteLimits(StintProperties properties, Stores stores) {
      return new RouteLimits(
          rule -> LimiterFactory.answering(properties, stores).rule(rule).build());
    }
  }
}
