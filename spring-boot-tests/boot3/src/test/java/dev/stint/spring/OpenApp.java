package dev.stint.spring;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.firewall.FirewalledRequest;
import org.springframework.security.web.firewall.HttpFirewall;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.firewall.ServerWebExchangeFirewall;
import org.springframework.web.bind.annotation.CrossOrigin;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Handlers that name themselves, and no firewall that turns odd paths away before they are read.
 */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import({OpenApp.Handlers.class, OpenApp.ServletSecurity.class, OpenApp.WebFluxSecurity.class})
class OpenApp {

  @RestController
  static class Handlers {

    @GetMapping("/files/{*path}")
    ResponseEntity<String> files() {
      return named("files");
    }

    @GetMapping("/orders/{id}")
    ResponseEntity<String> orders() {
      return named("orders");
    }

    @GetMapping("/items/{id:[0-9]+}")
    ResponseEntity<String> items() {
      return named("items");
    }

    @GetMapping("/admin/users")
    ResponseEntity<String> admin() {
      return named("admin");
    }

    @CrossOrigin(origins = "https://shop.example", exposedHeaders = "Retry-After")
    @GetMapping("/shared")
    ResponseEntity<String> shared() {
      return named("shared");
    }

    @CrossOrigin(originPatterns = "http://127.0.0.1:*", exposedHeaders = "Retry-After")
    @GetMapping("/public")
    ResponseEntity<String> open() {
      return named("public");
    }

    private static ResponseEntity<String> named(String name) {
      return ResponseEntity.ok().header("X-Handler", name).body(name);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
  static class ServletSecurity {

    @Bean
    SecurityFilterChain security(HttpSecurity http) throws Exception {
      return http.csrf(csrf -> csrf.disable())
          .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
          .build();
    }

    @Bean
    HttpFirewall noFirewall() {
      return new HttpFirewall() {
        @Override
        public FirewalledRequest getFirewalledRequest(HttpServletRequest request) {
          return new FirewalledRequest(request) {
            @Override
            public void reset() {}
          };
        }

        @Override
        public HttpServletResponse getFirewalledResponse(HttpServletResponse response) {
          return response;
        }
      };
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
  static class WebFluxSecurity {

    @Bean
    SecurityWebFilterChain security(ServerHttpSecurity http) {
      return http.csrf(csrf -> csrf.disable())
          .authorizeExchange(requests -> requests.anyExchange().permitAll())
          .build();
    }

    @Bean
    ServerWebExchangeFirewall noFirewall() {
      return ServerWebExchangeFirewall.INSECURE_NOOP;
    }
  }
}
