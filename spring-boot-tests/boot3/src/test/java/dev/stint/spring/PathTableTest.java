package dev.stint.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.stint.http.PathTable;
import java.lang.reflect.Method;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.util.AntPathMatcher;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.filter.UrlHandlerFilter;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.servlet.config.annotation.PathMatchConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.util.pattern.PathPatternParser;

/** However a path is written, the rule of the handler that Spring calls has counted it. */
class PathTableTest {

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void every_spelling_that_reaches_a_handler_is_counted(String kind) throws Exception {
    try (RunningApp app =
        RunningApp.of(
            kind,
            OpenApp.class,
            "stint.rules.files.limit=1000000/day",
            "stint.rules.files.match=/files/**",
            "stint.rules.orders.limit=1000000/day",
            "stint.rules.orders.match=/orders/{id}",
            "stint.rules.admin.limit=1000000/day",
            "stint.rules.admin.match=/admin/users")) {
      PathTable.assertCounted(app.uri("/").getPort(), 80);
    }
  }

  /** Spring routes what follows the context as the client wrote it, dot segments included. */
  @ParameterizedTest
  @CsvSource({"servlet, server.servlet.context-path", "webflux, spring.webflux.base-path"})
  void every_spelling_under_a_context_is_counted(String kind, String property) throws Exception {
    try (RunningApp app =
        RunningApp.of(
            kind,
            OpenApp.class,
            property + "=/shop",
            "stint.rules.files.limit=1000000/day",
            "stint.rules.files.match=/files/**",
            "stint.rules.orders.limit=1000000/day",
            "stint.rules.orders.match=/orders/{id}",
            "stint.rules.admin.limit=1000000/day",
            "stint.rules.admin.match=/admin/users")) {
      int port = app.uri("/").getPort();
      assertThat(PathTable.get(port, "/shop/files/../x"))
          .contains("X-Handler: files")
          .contains("\"files\";q=1000000");
      PathTable.assertCounted(port, "/shop", 80);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import(OpenApp.class)
  static class AnySlash {

    @Bean
    UrlHandlerFilter trailingSlashes() {
      return UrlHandlerFilter.trailingSlashHandler("/**").wrapRequest().build();
    }
  }

  @Test
  void where_spring_leaves_out_a_slash_at_the_end_rules_do_too() throws Exception {
    try (RunningApp app =
        RunningApp.servlet(
            AnySlash.class,
            "stint.rules.admin.limit=1/day",
            "stint.rules.admin.match=/admin/users")) {
      assertThat(app.get("/admin/users/").statusCode()).isEqualTo(200);
      assertThat(app.get("/admin/users/").statusCode()).isEqualTo(429);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void a_pattern_means_what_it_means_to_spring(String kind) throws Exception {
    try (RunningApp app =
        RunningApp.of(
            kind,
            OpenApp.class,
            "stint.rules.files.limit=1/day",
            "stint.rules.files.match=/files/{*path}",
            "stint.rules.items.limit=1/day",
            "stint.rules.items.match=/items/{id:[0-9]+}",
            "stint.rules.other.limit=1/day",
            "stint.rules.other.match=/items/{id:[a-z]+}")) {
      assertThat(app.get("/files/a").statusCode()).isEqualTo(200);
      assertThat(app.get("/files/a/b/c").statusCode()).isEqualTo(429);
      assertThat(app.get("/items/7").statusCode()).isEqualTo(200);
      assertThat(app.get("/items/x").statusCode()).isEqualTo(404);
      assertThat(app.get("/items/8").statusCode()).isEqualTo(429);
      assertThat(app.get("/items/x").statusCode()).isEqualTo(429);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void a_route_is_the_template_of_the_handler(String kind) throws Exception {
    try (RunningApp app =
        RunningApp.of(
            kind,
            OpenApp.class,
            "stint.rules.api.limit=1/day",
            "stint.rules.api.match=/**",
            "stint.rules.api.by=route")) {
      assertThat(app.get("/orders/7").statusCode()).isEqualTo(200);
      assertThat(app.get("/items/7").statusCode()).isEqualTo(200);
      assertThat(app.get("/orders/8").statusCode()).isEqualTo(429);
      assertThat(app.get("/files/a").statusCode()).isEqualTo(200);
      assertThat(app.get("/files/b/c").statusCode()).isEqualTo(429);
      assertThat(app.bean(HttpLimiters.class).peek("api", "/orders/{id}").remaining()).isZero();
    }
  }

  @Import(OpenApp.class)
  static class AnyCase implements WebMvcConfigurer {

    @Override
    public void configurePathMatch(PathMatchConfigurer configurer) {
      PathPatternParser parser = new PathPatternParser();
      parser.setCaseSensitive(false);
      configurer.setPatternParser(parser);
    }
  }

  @Test
  void where_spring_does_not_tell_upper_from_lower_case_rules_do_not_either() throws Exception {
    try (RunningApp app =
        RunningApp.servlet(
            AnyCase.class,
            "stint.rules.admin.limit=1/day",
            "stint.rules.admin.match=/admin/users")) {
      assertThat(app.get("/Admin/USERS").statusCode()).isEqualTo(200);
      assertThat(app.get("/ADMIN/users").statusCode()).isEqualTo(429);
    }
  }

  @Import(OpenApp.class)
  static class AnyCaseInWebFlux implements WebFluxConfigurer {

    @Override
    public void configurePathMatching(
        org.springframework.web.reactive.config.PathMatchConfigurer configurer) {
      configurer.setUseCaseSensitiveMatch(false);
    }
  }

  /** The actuator's own mapping comes first and does tell them apart. */
  @Test
  void nor_in_webflux_whatever_other_mappings_do() throws Exception {
    try (RunningApp app =
        RunningApp.webFlux(
            AnyCaseInWebFlux.class,
            "stint.rules.admin.limit=1/day",
            "stint.rules.admin.match=/admin/users")) {
      assertThat(app.get("/Admin/USERS").statusCode()).isEqualTo(200);
      assertThat(app.get("/ADMIN/users").statusCode()).isEqualTo(429);
    }
  }

  /** Takes paths for the same that Spring's patterns tell apart. */
  @Import(OpenApp.class)
  static class OwnPathMatcher implements WebMvcConfigurer {

    @Override
    @SuppressWarnings("removal") // from Spring 7 on; applications may still use it
    public void configurePathMatch(PathMatchConfigurer configurer) {
      AntPathMatcher matcher =
          new AntPathMatcher() {
            @Override
            protected boolean doMatch(
                String pattern, String path, boolean fullMatch, Map<String, String> variables) {
              return super.doMatch(pattern, path.replace("-", ""), fullMatch, variables);
            }
          };
      matcher.setCaseSensitive(false);
      configurer.setPathMatcher(matcher);
    }
  }

  @Test
  void what_a_path_matcher_of_the_application_routes_is_counted() throws Exception {
    try (RunningApp app =
        RunningApp.servlet(
            OwnPathMatcher.class,
            "stint.rules.admin.limit=3/day",
            "stint.rules.admin.match=/admin/**",
            "stint.rules.orders.limit=1/day",
            "stint.rules.orders.match=/orders/{id}")) {
      assertThat(app.get("/admin/users").statusCode()).isEqualTo(200);
      assertThat(app.get("/Admin/USERS").statusCode()).isEqualTo(200);
      assertThat(app.get("/ad-min/users").statusCode()).isEqualTo(200);
      assertThat(app.get("/ad-min/us-ers").statusCode()).isEqualTo(429);
      assertThat(app.get("/or-ders/7").statusCode()).isEqualTo(200);
      assertThat(app.get("/ORDERS/8").statusCode()).isEqualTo(429);
    }
  }

  /** Leaves out suffixes, which Spring 6 can do and Spring 7 cannot. */
  @Import(OpenApp.class)
  static class AnySuffix implements WebMvcConfigurer {

    static final Method SETTER =
        ReflectionUtils.findMethod(
            PathMatchConfigurer.class, "setUseSuffixPatternMatch", Boolean.class);

    @Override
    @SuppressWarnings("removal") // from Spring 7 on; applications may still use it
    public void configurePathMatch(PathMatchConfigurer configurer) {
      configurer.setPathMatcher(new AntPathMatcher());
      ReflectionUtils.invokeMethod(SETTER, configurer, true);
    }
  }

  @Test
  void where_spring_leaves_out_a_suffix_rules_do_too() throws Exception {
    assumeThat(AnySuffix.SETTER).isNotNull();
    try (RunningApp app =
        RunningApp.servlet(
            AnySuffix.class,
            "stint.rules.admin.limit=1/day",
            "stint.rules.admin.match=/admin/users")) {
      assertThat(app.get("/admin/users.json").statusCode()).isEqualTo(200);
      assertThat(app.get("/admin/users.html").statusCode()).isEqualTo(429);
    }
  }

  /** Only the handler that is exempt may be reached uncounted, and the actuator minds the case. */
  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void an_exempt_path_is_exempt_in_its_own_letters_alone(String kind) throws Exception {
    try (RunningApp app =
        RunningApp.of(
            kind,
            kind.equals("webflux") ? AnyCaseInWebFlux.class : AnyCase.class,
            "management.health.redis.enabled=false",
            "stint.rules.api.limit=1/day")) {
      for (int i = 0; i < 3; i++) {
        assertThat(app.get("/actuator/health").statusCode()).isEqualTo(200);
      }
      assertThat(app.get("/Actuator/HEALTH/x").statusCode()).isEqualTo(404);
      assertThat(app.get("/Actuator/HEALTH/x").statusCode()).isEqualTo(429);
    }
  }
}
