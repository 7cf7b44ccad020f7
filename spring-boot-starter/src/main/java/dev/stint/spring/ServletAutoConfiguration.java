package dev.stint.spring;

import dev.stint.http.HttpLimiter;
import dev.stint.http.servlet.RateLimitFilter;
import dev.stint.spring.gateway.RouteLimits;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
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

  private final RemoteAddresses addresses;
  private final HttpLimiters limiters;
  private final FilterOrder order;

  ServletAutoConfiguration(
      Environment environment,
      ListableBeanFactory beans,
      HttpLimiters limiters,
      StintProperties properties) {
    this.limiters = limiters;
    addresses = new RemoteAddresses(environment, beans, properties, () -> limiters);
    limiters.check(addresses::check);
    order = FilterOrder.ofServlets(environment, beans);
  }

  /** Makes the filter for limiters, which see requests in some way. */
  @FunctionalInterface
  interface FilterFactory
      extends BiFunction<
          Function<HttpServletRequest, @Nullable HttpLimiter>,
          UnaryOperator<HttpServletRequest>,
          RateLimitFilter> {}

  /** With MVC. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(DispatcherServlet.class)
  static class Mvc {

    @Bean
    FilterFactory stintMvcFilters(ApplicationContext context) {
      MvcHandlers handlers = new MvcHandlers(context);
      MvcCors cors = new MvcCors(context, handlers);
      return (limiters, seenAs) -> new MvcRateLimitFilter(limiters, seenAs, handlers, cors);
    }
  }

  @Bean
  FilterRegistrationBean<RateLimitFilter> stintFilterBeforeAuthentication(
      ObjectProvider<FilterFactory> filters) {
    return registration(
        filters,
        request -> rules(request).beforeAuthentication(),
        "stintFilterBeforeAuthentication",
        order.beforeAuthentication());
  }

  @Bean
  FilterRegistrationBean<RateLimitFilter> stintFilterAfterAuthentication(
      ObjectProvider<FilterFactory> filters) {
    return registration(
        filters,
        request -> {
          HttpLimiter late = rules(request).afterAuthentication();
          return late.isIdle() ? null : late;
        },
        "stintFilterAfterAuthentication",
        order.afterAuthentication());
  }

  private RulesInForce rules(HttpServletRequest request) {
    return RulesInForce.of(
        limiters,
        () -> request.getAttribute(RulesInForce.ATTRIBUTE),
        rules -> request.setAttribute(RulesInForce.ATTRIBUTE, rules));
  }

  private HttpServletRequest seen(HttpServletRequest request) {
    return addresses.askConnection(rules(request)) ? ConnectionPeer.asConnected(request) : request;
  }

  private FilterRegistrationBean<RateLimitFilter> registration(
      ObjectProvider<FilterFactory> filters,
      Function<HttpServletRequest, @Nullable HttpLimiter> chosen,
      String name,
      int place) {
    FilterFactory factory = filters.getIfAvailable(() -> RateLimitFilter::new);
    FilterRegistrationBean<RateLimitFilter> registration =
        new FilterRegistrationBean<>(factory.apply(chosen, this::seen));
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
          rule -> LimiterFactory.answeringCalls(properties, stores).rule(rule).build());
    }
  }
}
