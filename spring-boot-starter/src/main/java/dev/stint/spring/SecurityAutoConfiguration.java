package dev.stint.spring;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.util.EnumSet;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.security.authentication.event.AbstractAuthenticationFailureEvent;

/** Failed logins as outcomes that a rule can charge for. */
@AutoConfiguration(after = StintAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({AbstractAuthenticationFailureEvent.class, Filter.class})
@ConditionalOnBean(HttpLimiters.class)
public class SecurityAutoConfiguration {

  @Bean
  AuthenticationFailures stintAuthenticationFailures() {
    return new AuthenticationFailures();
  }

  @Bean
  FilterRegistrationBean<Filter> stintAuthenticationFailuresFilter(
      Environment environment, ListableBeanFactory beans) {
    FilterRegistrationBean<Filter> registration =
        new FilterRegistrationBean<>(AuthenticationFailures.filter());
    registration.setName("stintAuthenticationFailuresFilter");
    registration.setOrder(FilterOrder.ofServlets(environment, beans).beforeAuthentication());
    registration.setDispatcherTypes(EnumSet.allOf(DispatcherType.class));
    registration.setAsyncSupported(true);
    return registration;
  }
}
