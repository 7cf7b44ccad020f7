package dev.stint.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.http.PathTable;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.cors.CorsConfiguration;

/** Where Spring Security answers preflights, looking for their handler leaves no trace. */
class CorsBySecurityTest {

  private static final String ORIGIN = "https://shop.example";

  @SpringBootConfiguration
  @EnableAutoConfiguration
  @Import({OpenApp.Handlers.class, Servlet.class, WebFlux.class})
  static class App {}

  private static CorsConfiguration cors() {
    CorsConfiguration cors = new CorsConfiguration();
    cors.setAllowedOrigins(List.of(ORIGIN));
    cors.setAllowedMethods(List.of("GET"));
    return cors;
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
  static class Servlet {

    @Bean
    SecurityFilterChain security(HttpSecurity http) throws Exception {
      return http.cors(Customizer.withDefaults())
          .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
          .build();
    }

    @Bean
    org.springframework.web.cors.CorsConfigurationSource corsConfigurationSource() {
      return request -> cors();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
  static class WebFlux {

    @Bean
    SecurityWebFilterChain security(ServerHttpSecurity http) {
      return http.cors(Customizer.withDefaults())
          .authorizeExchange(requests -> requests.anyExchange().permitAll())
          .build();
    }

    @Bean
    org.springframework.web.cors.reactive.CorsConfigurationSource corsConfigurationSource() {
      return exchange -> cors();
    }
  }

  private static String send(RunningApp app, String method, String headers) throws Exception {
    return PathTable.send(
        app.uri("/").getPort(),
        method
            + " /orders/7 HTTP/1.1\r\nHost: a\r\nConnection: close\r\nOrigin: "
            + ORIGIN
            + "\r\n"
            + headers
            + "\r\n");
  }

  @ParameterizedTest
  @CsvSource({"servlet, address", "servlet, route", "webflux, address", "webflux, route"})
  void preflights_are_answered_as_without_a_rule(String kind, String by) throws Exception {
    try (RunningApp app =
        RunningApp.of(kind, App.class, "stint.rules.api.limit=2/day", "stint.rules.api.by=" + by)) {
      String wanted = "Access-Control-Request-Method: GET\r\n";
      assertThat(send(app, "OPTIONS", wanted))
          .contains(" 200 ")
          .containsOnlyOnce("Access-Control-Allow-Origin: " + ORIGIN);
      assertThat(send(app, "OPTIONS", wanted + "Cookie: a=b\r\n")) // counted
          .contains(" 200 ")
          .containsOnlyOnce("Access-Control-Allow-Origin: " + ORIGIN);
      assertThat(send(app, "GET", "")).contains(" 200 ").contains("X-Handler: orders");
      assertThat(send(app, "GET", ""))
          .contains(" 429 ")
          .containsOnlyOnce("Access-Control-Allow-Origin: " + ORIGIN);
    }
  }
}
