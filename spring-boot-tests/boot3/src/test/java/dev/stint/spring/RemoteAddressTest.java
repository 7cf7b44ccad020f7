package dev.stint.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.server.WebServerFactory;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.mock.env.MockEnvironment;
import org.springframework.web.filter.ForwardedHeaderFilter;
import org.springframework.web.server.adapter.ForwardedHeaderTransformer;

/** No client chooses the address it is counted by, whatever the server makes of its headers. */
@ExtendWith(OutputCaptureExtension.class)
class RemoteAddressTest {

  private static final String RULE = "stint.rules.api.limit=1/min";
  private static final String KUBERNETES = "spring.main.cloud-platform=kubernetes";
  private static final String NATIVE = "server.forward-headers-strategy=native";
  private static final String FRAMEWORK = "server.forward-headers-strategy=framework";

  private static RunningApp app(String kind, String... properties) {
    return RunningApp.of(kind, HelloApp.class, properties);
  }

  private static int from(RunningApp app, String forwardedFor) throws Exception {
    return app.get("/hello", "X-Forwarded-For", forwardedFor).statusCode();
  }

  private static void assertRefused(String kind, String... properties) {
    assertThatThrownBy(() -> app(kind, properties).close()).isNotNull();
  }

  private static void assertLeftmostIsIgnored(RunningApp app) throws Exception {
    assertThat(from(app, "198.51.100.1, 192.0.2.1")).isEqualTo(200);
    assertThat(from(app, "198.51.100.2, 192.0.2.1")).isEqualTo(429);
    assertThat(from(app, "198.51.100.1, 192.0.2.2")).isEqualTo(200);
  }

  @Test
  void netty_on_kubernetes_is_refused_without_trusted_proxies(CapturedOutput output) {
    assertRefused("webflux", KUBERNETES, RULE);
    assertThat(output.getAll())
        .contains("The property 'server.forward-headers-strategy' cannot be used.")
        .contains(
            "STINT-HTTP-2: any client could choose the address it is counted by, because Netty"
                + " takes it from the first entry of X-Forwarded-For, which the client writes; Boot"
                + " sets it to native by itself on KUBERNETES")
        .contains("Set stint.trusted-proxies to the addresses of your proxies, such as 10.0.0.0/8");
  }

  @ParameterizedTest
  @CsvSource({
    "webflux," + KUBERNETES,
    "webflux," + NATIVE,
    "webflux," + FRAMEWORK,
    "servlet," + FRAMEWORK
  })
  void trusted_proxies_are_followed_past_what_the_server_says(String kind, String setting)
      throws Exception {
    try (RunningApp app = app(kind, setting, RULE, "stint.trusted-proxies=127.0.0.1")) {
      assertLeftmostIsIgnored(app);
      assertThat(from(app, "2001:db8:1::1")).isEqualTo(200);
      assertThat(from(app, "2001:db8:1::2")).isEqualTo(429);
    }
  }

  @ParameterizedTest
  @CsvSource({"webflux," + NATIVE, "webflux," + FRAMEWORK, "servlet," + FRAMEWORK})
  void a_client_that_is_no_proxy_is_counted_by_its_connection(String kind, String setting)
      throws Exception {
    try (RunningApp app = app(kind, setting, RULE, "stint.trusted-proxies=10.0.0.0/8")) {
      assertThat(from(app, "192.0.2.1")).isEqualTo(200);
      assertThat(from(app, "192.0.2.2")).isEqualTo(429);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "webflux," + NATIVE + ",Netty",
    "webflux," + FRAMEWORK + ",Spring",
    "servlet," + FRAMEWORK + ",Spring"
  })
  void others_that_believe_the_client_are_refused(
      String kind, String setting, String reader, CapturedOutput output) {
    assertRefused(kind, setting, RULE);
    assertThat(output.getAll())
        .contains("counted by, because " + reader + " takes it from the first entry");
  }

  @Configuration(proxyBeanMethods = false)
  @Import(HelloApp.class)
  static class WithFilter {

    @Bean
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    ForwardedHeaderFilter forwardedHeaderFilter() {
      return new ForwardedHeaderFilter();
    }

    @Bean
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    ForwardedHeaderTransformer forwardedHeaderTransformer() {
      return new ForwardedHeaderTransformer();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import(HelloApp.class)
  static class WithRegistration {

    @Bean
    FilterRegistrationBean<ForwardedHeaderFilter> forwardedHeaders() {
      return new FilterRegistrationBean<>(new ForwardedHeaderFilter());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void a_filter_of_the_application_is_found(String kind) throws Exception {
    assertThatThrownBy(() -> RunningApp.of(kind, WithFilter.class, RULE).close())
        .hasStackTraceContaining("STINT-HTTP-2");
    try (RunningApp app =
        RunningApp.of(kind, WithFilter.class, RULE, "stint.trusted-proxies=127.0.0.1")) {
      assertLeftmostIsIgnored(app);
    }
  }

  @Test
  void a_registration_of_the_application_is_found() {
    assertThatThrownBy(() -> RunningApp.servlet(WithRegistration.class, RULE).close())
        .hasStackTraceContaining("STINT-HTTP-2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void rules_that_do_not_count_by_address_may_start(String kind) {
    assertThatCode(() -> app(kind, FRAMEWORK, RULE, "stint.rules.api.by=principal").close())
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void a_header_whose_name_contains_address_is_no_address(String kind) {
    assertThatCode(
            () -> app(kind, FRAMEWORK, RULE, "stint.rules.api.by=header:X-Client-Address").close())
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "servlet, stint.allow-keys",
    "servlet, stint.block-keys",
    "webflux, stint.allow-keys",
    "webflux, stint.block-keys"
  })
  void a_listed_key_may_be_an_address(String kind, String list) {
    assertThatThrownBy(
            () ->
                app(
                        kind,
                        FRAMEWORK,
                        RULE,
                        "stint.rules.api.by=header:X-Api-Key",
                        list + "=address:203.0.113.7")
                    .close())
        .hasStackTraceContaining("STINT-HTTP-2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {KUBERNETES, NATIVE, "server.tomcat.remoteip.remote-ip-header=x-forwarded-for"})
  void the_valve_of_tomcat_reads_from_the_right(String setting) throws Exception {
    try (RunningApp app = RunningApp.servlet(HelloApp.class, setting, RULE)) {
      assertLeftmostIsIgnored(app);
    }
  }

  @Test
  void a_valve_that_trusts_everybody_is_refused(CapturedOutput output) {
    String everybody =
        String.valueOf(SpringBootVersion.getVersion()).startsWith("3.") ? ".*" : "0.0.0.0/0";
    assertRefused("servlet", NATIVE, RULE, "server.tomcat.remoteip.internal-proxies=" + everybody);
    assertThat(output.getAll())
        .contains("The property 'server.tomcat.remoteip.internal-proxies' cannot be used.")
        .contains("because Tomcat trusts every address to be a proxy");
  }

  /** Stand in for Boot's own, whose packages differ from version to version. */
  static class JettyServletWebServerFactory implements WebServerFactory {}

  static class UndertowServletWebServerFactory implements WebServerFactory {}

  static class UndertowReactiveWebServerFactory implements WebServerFactory {}

  static class TomcatServletWebServerFactory implements WebServerFactory {}

  static class TunedServer extends TomcatServletWebServerFactory {}

  private static ForwardedHeaders of(WebServerFactory factory) {
    StaticListableBeanFactory beans = new StaticListableBeanFactory();
    beans.addBean("factory", factory);
    MockEnvironment environment = new MockEnvironment();
    environment.setProperty("server.forward-headers-strategy", "native");
    return ForwardedHeaders.of(environment, beans);
  }

  @Test
  void a_subclass_of_what_makes_the_server_is_recognized() {
    assertThat(of(new TunedServer())).isEqualTo(ForwardedHeaders.TOMCAT);
    assertThat(of(new TomcatServletWebServerFactory() {})).isEqualTo(ForwardedHeaders.TOMCAT);
    assertThat(of(new JettyServletWebServerFactory() {})).isEqualTo(ForwardedHeaders.OTHER_SERVER);
    assertThat(of(new UndertowReactiveWebServerFactory() {}))
        .isEqualTo(ForwardedHeaders.OTHER_SERVER);
    assertThat(of(new WebServerFactory() {})).isEqualTo(ForwardedHeaders.OTHER_SERVER);
  }

  @Test
  void servers_are_told_apart_by_what_makes_them() {
    for (WebServerFactory factory :
        List.of(
            new JettyServletWebServerFactory(),
            new UndertowServletWebServerFactory(),
            new UndertowReactiveWebServerFactory())) {
      StaticListableBeanFactory beans = new StaticListableBeanFactory();
      beans.addBean("factory", factory);
      MockEnvironment environment = new MockEnvironment();
      assertThat(ForwardedHeaders.of(environment, beans)).isEqualTo(ForwardedHeaders.UNREAD);
      environment.setProperty("server.forward-headers-strategy", "native");
      assertThat(ForwardedHeaders.of(environment, beans)).isEqualTo(ForwardedHeaders.OTHER_SERVER);
      beans.addBean("filter", new ForwardedHeaderFilter());
      assertThat(ForwardedHeaders.of(environment, beans)).isEqualTo(ForwardedHeaders.OTHER_SERVER);
    }
  }

  @Test
  void an_application_in_a_foreign_container_has_no_server_of_its_own() {
    MockEnvironment environment = new MockEnvironment();
    environment.setProperty("server.forward-headers-strategy", "native");
    assertThat(ForwardedHeaders.of(environment, new StaticListableBeanFactory()))
        .isEqualTo(ForwardedHeaders.UNREAD);
  }
}
