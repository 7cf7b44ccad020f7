package dev.stint.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.http.Answer;
import dev.stint.http.Completion;
import dev.stint.http.Rule;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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
import org.springframework.security.web.server.authentication.RedirectServerAuthenticationFailureHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RestController;

/** Failed logins by a form are charged, though their response is a redirect as any other. */
class FormLoginTest {

  @SpringBootConfiguration
  @EnableAutoConfiguration
  @Import({Servlet.class, WebFlux.class, Pages.class})
  static class App {

    @Bean
    Rule pins() {
      return Rule.of("pins", "2/min")
          .on("POST", "/pin")
          .chargeIf(end -> end.attribute("wrong pin") != null);
    }
  }

  private static UserDetails ann() {
    return User.withUsername("ann").password("{noop}secret").roles("USER").build();
  }

  @RestController
  static class Pages {

    @GetMapping("/left")
    String left(@RequestAttribute("dev.stint.http.Answer") Answer answer) {
      return answer.decision().map(decision -> "" + decision.remaining()).orElse("all");
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
  static class Servlet {

    @Bean
    InMemoryUserDetailsManager users() {
      return new InMemoryUserDetailsManager(ann());
    }

    @Bean
    SecurityFilterChain security(HttpSecurity http) throws Exception {
      return http.csrf(csrf -> csrf.disable())
          .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
          .formLogin(Customizer.withDefaults())
          .build();
    }

    @RestController
    static class Pins {

      @PostMapping("/pin")
      String pin(jakarta.servlet.http.HttpServletRequest request) {
        if (!"1234".equals(request.getParameter("pin"))) {
          request.setAttribute("wrong pin", true);
        }
        return "thanks";
      }
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
  static class WebFlux {

    @Bean
    MapReactiveUserDetailsService users() {
      return new MapReactiveUserDetailsService(ann());
    }

    @Bean
    SecurityWebFilterChain security(ServerHttpSecurity http) {
      RedirectServerAuthenticationFailureHandler redirect =
          new RedirectServerAuthenticationFailureHandler("/login?error");
      return http.csrf(csrf -> csrf.disable())
          .authorizeExchange(requests -> requests.anyExchange().permitAll())
          .formLogin(
              form ->
                  form.authenticationFailureHandler(
                      (exchange, failure) -> {
                        exchange
                            .getExchange()
                            .getAttributes()
                            .put(Completion.AUTHENTICATION_FAILED, true);
                        return redirect.onAuthenticationFailure(exchange, failure);
                      }))
          .build();
    }
  }

  private static HttpResponse<String> post(RunningApp app, String path, String form)
      throws Exception {
    return app.send(
        HttpRequest.newBuilder(app.uri(path))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(form))
            .build());
  }

  private static int login(RunningApp app, String password) throws Exception {
    return post(app, "/login", "username=ann&password=" + password).statusCode();
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void only_failures_are_charged(String kind) throws Exception {
    try (RunningApp app =
        RunningApp.of(
            kind,
            App.class,
            "stint.rules.login.limit=2/min",
            "stint.rules.login.match=POST /login",
            "stint.rules.login.charge-on=401,authentication-failure")) {
      for (int i = 0; i < 4; i++) {
        assertThat(login(app, "secret")).isEqualTo(302);
      }
      assertThat(login(app, "guess1")).isEqualTo(302);
      assertThat(login(app, "guess2")).isEqualTo(302);
      assertThat(login(app, "guess3")).isEqualTo(429);
      assertThat(login(app, "secret")).isEqualTo(429);
    }
  }

  /** There, Spring's own holder of the current request is still empty. */
  @Test
  void failures_are_charged_in_a_chain_that_is_moved_to_the_front() throws Exception {
    try (RunningApp app =
        RunningApp.servlet(
            App.class,
            "spring.security.filter.order=-300",
            "stint.rules.login.limit=1/min",
            "stint.rules.login.match=POST /login",
            "stint.rules.login.charge-on=authentication-failure")) {
      assertThat(login(app, "secret")).isEqualTo(302);
      assertThat(login(app, "guess1")).isEqualTo(302);
      assertThat(login(app, "guess2")).isEqualTo(429);
    }
  }

  @Test
  void a_predicate_may_ask_for_what_the_handler_noted() throws Exception {
    try (RunningApp app = RunningApp.servlet(App.class, "stint.rules.other.limit=100/min")) {
      for (int i = 0; i < 3; i++) {
        assertThat(post(app, "/pin", "pin=1234").statusCode()).isEqualTo(200);
      }
      assertThat(post(app, "/pin", "pin=1").statusCode()).isEqualTo(200);
      assertThat(post(app, "/pin", "pin=2").statusCode()).isEqualTo(200);
      assertThat(post(app, "/pin", "pin=3").statusCode()).isEqualTo(429);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void a_handler_sees_what_is_left(String kind) throws Exception {
    try (RunningApp app = RunningApp.of(kind, App.class, "stint.rules.api.limit=5/min")) {
      assertThat(app.get("/left").body()).isEqualTo("4");
      assertThat(app.get("/left").body()).isEqualTo("3");
    }
  }

  /** A chain that stands far in front must not have the rules by principal before it. */
  @Test
  void the_order_of_the_security_chain_is_read() throws Exception {
    try (RunningApp app =
        RunningApp.servlet(
            HelloApp.class,
            "spring.security.filter.order=20",
            "stint.rules.user.limit=1/min",
            "stint.rules.user.by=principal",
            "stint.rules.user.missing-key=skip")) {
      String ann = "Basic YW5uOnNlY3JldA==";
      assertThat(app.get("/private/hello", "Authorization", ann).statusCode()).isEqualTo(200);
      assertThat(app.get("/private/hello", "Authorization", ann).statusCode()).isEqualTo(429);
    }
  }

  @Test
  void rules_by_address_stay_in_front_of_a_chain_that_is_moved() throws Exception {
    try (RunningApp app =
        RunningApp.servlet(
            HelloApp.class, "spring.security.filter.order=-300", "stint.rules.api.limit=1/min")) {
      assertThat(app.get("/private/hello").statusCode()).isEqualTo(401);
      assertThat(app.get("/private/hello").statusCode()).isEqualTo(429);
    }
  }
}
