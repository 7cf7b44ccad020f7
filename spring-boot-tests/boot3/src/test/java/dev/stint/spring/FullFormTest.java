package dev.stint.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.http.KeySource;
import dev.stint.http.Rule;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** What properties can say, said and seen over a socket. Every client speaks through a proxy. */
class FullFormTest {

  private static final String[] PROPERTIES = {
    "stint.trusted-proxies=127.0.0.0/8",
    "stint.allow=192.0.2.1",
    "stint.block=192.0.2.66",
    "stint.tenant=header:X-Tenant",
    "stint.refusal.status=503",
    "stint.refusal.body=later",
    "stint.rules.pages.limit=10/min fixed-window-per-key",
    "stint.rules.pages.match=GET /hello",
    "stint.rules.pages.cost=header('X-Pages')",
    "stint.rules.tenants.limit=2/min fixed-window-per-key",
    "stint.rules.tenants.match=/orders/{id}",
    "stint.rules.tenants.by=tenant + route",
    "stint.rules.tenants.headers=legacy",
    "stint.rules.plans.limit=1/min fixed-window-per-key",
    "stint.rules.plans.match=/nowhere/plan",
    "stint.rules.plans.by=plan",
    "stint.rules.gone.limit=1/min",
    "stint.rules.gone.mode=off"
  };

  @Configuration(proxyBeanMethods = false)
  @Import(HelloApp.class)
  static class App {

    @Bean
    KeySource plan() {
      return KeySource.of("plan", request -> request.header("X-Plan"));
    }

    @Bean
    Rule ofCode() {
      return Rule.of("code", "1/min").on("/nowhere/code");
    }
  }

  private static HttpResponse<String> get(
      RunningApp app, String client, String path, String... headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(app.uri(path)).header("X-Forwarded-For", client);
    if (headers.length > 0) {
      request.headers(headers);
    }
    return app.send(request.build());
  }

  @ParameterizedTest
  @ValueSource(strings = {"servlet", "webflux"})
  void properties_are_obeyed(String kind) throws Exception {
    try (RunningApp app = RunningApp.of(kind, App.class, PROPERTIES)) {
      expressions_say_the_cost(app);
      lists_come_first(app);
      a_budget_belongs_to_tenant_and_route(app);
      beans_are_known_by_name(app);
    }
  }

  private static void expressions_say_the_cost(RunningApp app) throws Exception {
    assertThat(get(app, "192.0.2.2", "/hello", "X-Pages", "7").headers().firstValue("RateLimit"))
        .contains("\"pages\";r=3;t=60");
    HttpResponse<String> refused = get(app, "192.0.2.2", "/hello", "X-Pages", "7");
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.body()).isEqualTo("later");
    assertThat(refused.headers().firstValue("Retry-After")).contains("60");
    assertThat(get(app, "192.0.2.3", "/hello", "X-Pages", "-7").headers().firstValue("RateLimit"))
        .contains("\"pages\";r=9;t=60");
    assertThat(get(app, "192.0.2.4", "/hello", "X-Pages", "many").headers().firstValue("RateLimit"))
        .contains("\"pages\";r=9;t=60");
    assertThat(get(app, "192.0.2.5", "/hello").headers().firstValue("RateLimit"))
        .contains("\"pages\";r=9;t=60");
  }

  private static void lists_come_first(RunningApp app) throws Exception {
    HttpResponse<String> allowed = get(app, "192.0.2.1", "/hello", "X-Pages", "70");
    assertThat(allowed.statusCode()).isEqualTo(200);
    assertThat(allowed.headers().firstValue("RateLimit")).isEmpty();
    assertThat(get(app, "192.0.2.66", "/hello").statusCode()).isEqualTo(403);
  }

  private static void a_budget_belongs_to_tenant_and_route(RunningApp app) throws Exception {
    HttpResponse<String> first = get(app, "192.0.2.7", "/orders/1", "X-Tenant", "acme");
    assertThat(first.headers().firstValue("RateLimit-Remaining")).contains("1");
    assertThat(first.headers().firstValue("RateLimit-Reset")).contains("60");
    get(app, "192.0.2.8", "/orders/2", "X-Tenant", "acme");
    assertThat(get(app, "192.0.2.9", "//orders/%33/", "X-Tenant", "acme").statusCode())
        .isNotEqualTo(200);
    assertThat(get(app, "192.0.2.9", "/orders/3", "X-Tenant", "acme").statusCode()).isEqualTo(503);
    assertThat(get(app, "192.0.2.9", "/orders/3", "X-Tenant", "other").statusCode()).isEqualTo(200);
  }

  private static void beans_are_known_by_name(RunningApp app) throws Exception {
    assertThat(get(app, "192.0.2.9", "/nowhere/plan", "X-Plan", "gold").statusCode())
        .isEqualTo(404);
    assertThat(get(app, "192.0.2.8", "/nowhere/plan", "X-Plan", "gold").statusCode())
        .isEqualTo(503);
    assertThat(get(app, "192.0.2.8", "/nowhere/code").statusCode()).isEqualTo(404);
    assertThat(get(app, "192.0.2.8", "/nowhere/code").statusCode()).isEqualTo(503);
    assertThat(app.bean(HttpLimiters.class).rules())
        .extracting(Rule::name)
        .containsExactlyInAnyOrder("pages", "tenants", "plans", "code");
  }
}
