package dev.stint.spring;

import dev.stint.grpc.RateLimitInterceptor;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.grpc.server.GlobalServerInterceptor;
import org.springframework.grpc.server.security.GrpcSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;

/** The rules in front of the services of Spring gRPC, before and after its security. */
@AutoConfiguration(after = StintAutoConfiguration.class)
@ConditionalOnClass({RateLimitInterceptor.class, GlobalServerInterceptor.class})
@ConditionalOnBean(HttpLimiters.class)
public class GrpcAutoConfiguration {

  @Bean
  @GlobalServerInterceptor
  @Order(GrpcSecurity.CONTEXT_FILTER_ORDER - 100)
  RateLimitInterceptor stintGrpcBeforeAuthentication(HttpLimiters limiters) {
    return RateLimitInterceptor.asking(limiters::beforeAuthentication);
  }

  /** Rules by principal, which Spring Security knows. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(SecurityContextHolder.class)
  static class AfterAuthentication {

    @Bean
    @GlobalServerInterceptor
    @Order(GrpcSecurity.CONTEXT_FILTER_ORDER + 50)
    RateLimitInterceptor stintGrpcAfterAuthentication(HttpLimiters limiters) {
      return RateLimitInterceptor.asking(limiters::afterAuthentication)
          .principal(call -> principal());
    }

    private static @Nullable String principal() {
      Authentication known = SecurityContextHolder.getContext().getAuthentication();
      return known == null || !known.isAuthenticated() ? null : known.getName();
    }
  }
}
