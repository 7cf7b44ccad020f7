package dev.stint.http.jaxrs;

import static dev.stint.http.Browser.header;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.stint.Store;
import dev.stint.http.Browser;
import dev.stint.http.HttpLimiter;
import dev.stint.http.KeySource;
import dev.stint.http.MissingKey;
import dev.stint.http.Rule;
import dev.stint.memory.MemoryStore;
import dev.stint.testkit.ManualTime;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.ext.ExceptionMapper;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpResponse;
import java.security.Principal;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.glassfish.jersey.jdkhttp.JdkHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RateLimitFilterTest {

  private static final String ONE = "1/minute fixed-window-per-key";
  private static final String TEN = "10/minute fixed-window-per-key";
  private static final String PEER = "203.0.113.9";

  /** A filter for a server that does not say who calls. */
  private static class Limits extends RateLimitFilter {

    Limits(HttpLimiter limiter) {
      super(limiter);
    }

    @Override
    protected String peer(ContainerRequestContext request) {
      return PEER;
    }
  }

  private static final class OtherLimits extends Limits {
    OtherLimits(HttpLimiter limiter) {
      super(limiter);
    }
  }

  private static final class Mapper implements ExceptionMapper<IllegalStateException> {
    @Override
    public Response toResponse(IllegalStateException exception) {
      return Response.serverError().build();
    }
  }

  private static final class Login implements ContainerRequestFilter {
    @Override
    public void filter(ContainerRequestContext request) {
      String name = request.getHeaderString("X-Name");
      if (name == null) {
        request.abortWith(Response.status(401).build());
      } else {
        request.setSecurityContext(new Named(name));
      }
    }
  }

  private record Named(String name) implements SecurityContext {
    @Override
    public Principal getUserPrincipal() {
      return () -> name;
    }

    @Override
    public boolean isUserInRole(String role) {
      return false;
    }

    @Override
    public boolean isSecure() {
      return false;
    }

    @Override
    public String getAuthenticationScheme() {
      return BASIC_AUTH;
    }
  }

  /** Kept, or its level would be forgotten. It has much to say of errors that are on purpose. */
  private static final Logger JERSEY = Logger.getLogger("org.glassfish.jersey");

  private final Store store = MemoryStore.builder().time(ManualTime.create()).build();
  private HttpServer server;

  @BeforeEach
  void reset() {
    JERSEY.setLevel(Level.OFF);
    Orders.CALLS.set(0);
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private HttpLimiter limiter(Rule... rules) {
    return HttpLimiter.builder(store).rules(List.of(rules)).build();
  }

  private void serve(HttpLimiter limiter) {
    serve(new ResourceConfig().register(new Limits(limiter)));
  }

  private void serve(ResourceConfig config) {
    String root = "http://" + InetAddress.getLoopbackAddress().getHostAddress() + ":0/app/";
    server =
        JdkHttpServerFactory.createHttpServer(
            URI.create(root),
            config.registerClasses(Orders.class).register(new Mapper()),
            null,
            true);
  }

  private Browser browser() {
    return new Browser(server.getAddress().getPort());
  }

  @Test
  void what_may_pass_is_answered_with_the_headers() throws Exception {
    serve(limiter(Rule.of("api", TEN)));
    HttpResponse<String> response = browser().get("/app/orders/7");
    assertThat(response.body()).isEqualTo("order 7");
    assertThat(header(response, "RateLimit")).isEqualTo("\"api\";r=9;t=60");
    assertThat(header(response, "RateLimit-Policy")).isEqualTo("\"api\";q=10;w=60");
  }

  @Test
  void a_refusal_is_sent_whole() throws Exception {
    serve(limiter(Rule.of("api", ONE)));
    browser().get("/app/orders/7");
    HttpResponse<String> response = browser().get("/app/orders/7");
    assertThat(response.statusCode()).isEqualTo(429);
    assertThat(header(response, "Retry-After")).isEqualTo("60");
    assertThat(header(response, "RateLimit")).isEqualTo("\"api\";r=0;t=60");
    assertThat(header(response, "Content-Type")).isEqualTo("application/problem+json");
    assertThat(response.body()).contains("\"violated-policies\":[\"api\"]");
  }

  @Test
  void a_refused_request_does_not_reach_its_resource() throws Exception {
    serve(limiter(Rule.of("api", ONE)));
    browser().get("/app/orders/7");
    browser().get("/app/orders/7");
    assertThat(Orders.CALLS).hasValue(1);
  }

  @Test
  void a_refused_head_has_the_headers_and_no_body() throws Exception {
    serve(limiter(Rule.of("api", ONE)));
    browser().get("/app/orders/7");
    HttpResponse<String> response = browser().send("HEAD", "/app/orders/7");
    assertThat(response.statusCode()).isEqualTo(429);
    assertThat(header(response, "Retry-After")).isEqualTo("60");
    assertThat(response.body()).isEmpty();
  }

  @Test
  void an_empty_refusal_has_no_content_type() throws Exception {
    serve(
        HttpLimiter.builder(store)
            .rule(Rule.of("api", ONE))
            .refusal((request, standard) -> standard.status(503).body("text/plain", ""))
            .build());
    browser().get("/app/orders/7");
    HttpResponse<String> response = browser().get("/app/orders/7");
    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(response.headers().map()).doesNotContainKey("content-type");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/orders/7", "/orders/fail", "/orders/teapot", "/nowhere"})
  void a_request_is_charged_once_however_it_ends(String path) throws Exception {
    HttpLimiter limiter = limiter(Rule.of("api", TEN));
    serve(limiter);
    HttpResponse<String> response = browser().get("/app" + path);
    assertThat(limiter.peek("api", PEER).used()).isEqualTo(1);
    assertThat(header(response, "RateLimit")).isEqualTo("\"api\";r=9;t=60");
  }

  @ParameterizedTest
  @CsvSource({"GET, /nowhere, 404", "PATCH, /orders/7, 405"})
  void a_request_without_a_resource_counts_and_is_refused(String method, String path, int status)
      throws Exception {
    serve(limiter(Rule.of("api", ONE)));
    assertThat(browser().send(method, "/app" + path).statusCode()).isEqualTo(status);
    HttpResponse<String> response = browser().send(method, "/app" + path);
    assertThat(response.statusCode()).isEqualTo(429);
    assertThat(header(response, "Retry-After")).isEqualTo("60");
    assertThat(response.body()).contains("\"violated-policies\":[\"api\"]");
  }

  @ParameterizedTest
  @CsvSource({"7, 0", "teapot, 0", "fail, 0", "secret, 1"})
  void only_failed_logins_stay_charged(String order, long charged) throws Exception {
    HttpLimiter limiter = limiter(Rule.of("login", TEN).onlyIf(status -> status == 401));
    serve(limiter);
    browser().get("/app/orders/" + order);
    assertThat(limiter.peek("login", PEER).used()).isEqualTo(charged);
  }

  @Test
  void a_resource_that_throws_has_answered_500() throws Exception {
    HttpLimiter limiter = limiter(Rule.of("login", TEN).onlyIf(status -> status != 500));
    serve(limiter);
    browser().get("/app/orders/fail");
    assertThat(limiter.peek("login", PEER).used()).isZero();
  }

  @Test
  void a_rule_by_principal_counts_for_who_is_authenticated() throws Exception {
    HttpLimiter limiter = limiter(Rule.of("api", TEN).by(KeySource.principal()));
    serve(new ResourceConfig().register(new Limits(limiter)).register(new Login(), 1000));
    browser().get("/app/orders/7", "X-Name", "alice");
    assertThat(limiter.peek("api", "alice").used()).isEqualTo(1);
  }

  @Test
  void what_another_filter_answers_first_is_not_counted() throws Exception {
    HttpLimiter limiter = limiter(Rule.of("api", TEN));
    serve(new ResourceConfig().register(new Limits(limiter)).register(new Login(), 1000));
    assertThat(browser().get("/app/orders/7").statusCode()).isEqualTo(401);
    assertThat(limiter.peek("api", PEER).used()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "/orders/7, /orders/{id}",
    "/orders, /orders",
    "/orders/7/items/3, /**",
    "/nowhere, /**"
  })
  void a_rule_by_route_counts_by_the_template(String path, String template) throws Exception {
    HttpLimiter limiter = limiter(Rule.of("api", TEN).by(KeySource.route()));
    serve(limiter);
    browser().get("/app" + path);
    assertThat(limiter.peek("api", template).used()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/app/orders/7",
        "/app//orders/7",
        "/app/./orders/7",
        "/app/%2e/orders/7",
        "/app/b/%2E%2e/orders/7",
        "/app/orders;x=1/7",
        "/%61pp/orders/7",
        "/app/../app/orders/7",
        "/app/%2e%2e/app/orders/7",
        "//app/orders/7",
        "/app;x/orders/7",
        "/app/%6Frders/7/",
        "/app/orders%2F7"
      })
  void no_way_of_writing_a_path_dodges_its_rule(String path) throws Exception {
    serve(limiter(Rule.of("orders", ONE).on("/orders/{id}")));
    browser().get("/app/orders/7");
    browser().get(path);
    assertThat(Orders.CALLS).hasValue(1);
  }

  @Test
  void a_query_parameter_can_be_the_key() throws Exception {
    HttpLimiter limiter = limiter(Rule.of("api", TEN).by(KeySource.queryParameter("user")));
    serve(limiter);
    browser().get("/app/orders/7?a=b&user=al%20ice");
    assertThat(limiter.peek("api", "al ice").used()).isEqualTo(1);
  }

  @Test
  void an_unknown_peer_is_a_missing_key() throws Exception {
    HttpLimiter limiter = limiter(Rule.of("api", TEN).missingKey(MissingKey.DENY));
    RateLimitFilter nobody =
        new RateLimitFilter(limiter) {
          @Override
          protected String peer(ContainerRequestContext request) {
            return null;
          }
        };
    serve(new ResourceConfig().register(nobody));
    assertThat(browser().get("/app/orders/7").statusCode()).isEqualTo(403);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/app/orders/7", "/app/nowhere"})
  void two_filters_show_both_policies(String path) throws Exception {
    serve(
        new ResourceConfig()
            .register(new Limits(limiter(Rule.of("first", TEN))), 500)
            .register(new OtherLimits(limiter(Rule.of("second", TEN))), 5000));
    assertThat(header(browser().get(path), "RateLimit-Policy"))
        .contains("\"first\";q=10;w=60", "\"second\";q=10;w=60");
  }

  @Test
  void what_the_first_of_two_filters_refuses_the_second_does_not_charge() throws Exception {
    HttpLimiter second = limiter(Rule.of("second", TEN));
    serve(
        new ResourceConfig()
            .register(new Limits(limiter(Rule.of("first", ONE))), 500)
            .register(new OtherLimits(second), 5000));
    browser().get("/app/orders/7");
    assertThat(browser().get("/app/orders/7").statusCode()).isEqualTo(429);
    assertThat(second.peek("second", PEER).used()).isEqualTo(1);
  }
}
