package dev.stint.spring;

import dev.stint.testkit.ManualTime;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** An application that says hello to everybody; under {@code /private} to ann and bob only. */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import({HelloApp.Hello.class, HelloApp.ServletSecurity.class, HelloApp.WebFluxSecurity.class})
class HelloApp {

  @Bean
  ManualTime time() {
    return ManualTime.create();
  }

  private static UserDetails user(String name) {
    return User.withUsername(name).password("{noop}secret").roles("USER").build();
  }

  @RestController
  static class Hello {
    final AtomicInteger calls = new AtomicInteger();

    @GetMapping({"/hello", "/orders/{id}", "/private/hello"})
    String hello() {
      calls.incrementAndGet();
      return "hello";
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
  static class ServletSecurity {

    @Bean
    InMemoryUserDetailsManager users() {
      return new InMemoryUserDetailsManager(user("ann"), user("bob"));
    }

    @Bean
    SecurityFilterChain security(HttpSecurity http) throws Exception {
      return http.csrf(csrf -> csrf.disable())
          .authorizeHttpRequests(
              requests ->
                  requests.requestMatchers("/private/**").authenticated().anyRequest().permitAll())
          .httpBasic(Customizer.withDefaults())
          .build();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
  static class WebFluxSecurity {

    @Bean
    MapReactiveUserDetailsService users() {
      return new MapReactiveUserDetailsService(user("ann"), user("bob"));
    }

    @Bean
    SecurityWebFilterChain security(ServerHttpSecurity http) {
      return http.csrf(csrf -> csrf.disable())
          .authorizeExchange(
              requests ->
                  requests.pathMatchers("/private/**").authenticated().anyExchange().permitAll())
          .httpBasic(Customizer.withDefaults())
          .build();
    }
  }
}
