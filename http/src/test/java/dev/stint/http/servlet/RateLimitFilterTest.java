package dev.stint.http.servlet;

import static dev.stint.http.Browser.header;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Store;
import dev.stint.http.Browser;
import dev.stint.http.HttpLimiter;
import dev.stint.http.KeySource;
import dev.stint.http.Rule;
import dev.stint.memory.MemoryStore;
import dev.stint.testkit.ManualTime;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.http.HttpResponse;
import java.security.Principal;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.ee10.servlet.ErrorPageErrorHandler;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RateLimitFilterTest {

  private static final String ONE = "1/minute fixed-window-per-key";
  private static final String TEN = "10/minute fixed-window-per-key";
  private static final String ME = InetAddress.getLoopbackAddress().getHostAddress();
  private static final int TOO_LONG = 20_000;

  /** What a servlet does. */
  private interface Work {
    void on(HttpServletRequest request, HttpServletResponse response)
        throws IOException, ServletException;
  }

  private final Store store = MemoryStore.builder().time(ManualTime.create()).build();
  private final AtomicInteger handled = new AtomicInteger();
  private final Server server = new Server();
  private final ServerConnector connector = new ServerConnector(server);
  private final ServletContextHandler context = new ServletContextHandler("/shop");

  @BeforeEach
  void prepare() {
    connector.setHost(ME);
    server.addConnector(connector);
    server.setHandler(context);
    ErrorPageErrorHandler pages = new ErrorPageErrorHandler();
    pages.addErrorPage(418, "/plain");
    context.setErrorHandler(pages);
    on("/plain", (request, response) -> response.getWriter().write("hello"));
    on("/unauthorized", (request, response) -> response.setStatus(401));
    on("/error", (request, response) -> response.sendError(418));
    on("/denied", (request, response) -> response.sendError(401));
    on(
        "/fail",
        (request, response) -> {
          throw new ServletException("on purpose");
        });
    on("/forward", (rq, rs) -> rq.getRequestDispatcher("/plain").forward(rq, rs));
    on("/forward401", (rq, rs) -> rq.getRequestDispatcher("/unauthorized").forward(rq, rs));
    on("/include", (rq, rs) -> rq.getRequestDispatcher("/plain").include(rq, rs));
    on("/async", (request, response) -> async(request).complete());
    on("/async401", (request, response) -> laterWith(401, async(request)));
    on("/async200", (request, response) -> laterWith(200, async(request)));
    on("/dispatch", (request, response) -> async(request).dispatch("/plain"));
    on("/dispatch401", (request, response) -> async(request).dispatch("/unauthorized"));
    on("/dispatchTwice", (request, response) -> async(request).dispatch("/dispatch401"));
    on("/dispatchFail", (request, response) -> async(request).dispatch("/fail"));
    on("/orders/*", (request, response) -> response.getWriter().write("order"));
  }

  @AfterEach
  void stop() throws Exception {
    server.stop();
  }

  private static AsyncContext async(HttpServletRequest request) {
    AsyncContext async = request.startAsync();
    async.setTimeout(TOO_LONG);
    return async;
  }

  private static void laterWith(int status, AsyncContext async) {
    async.start(
        () -> {
          ((HttpServletResponse) async.getResponse()).setStatus(status);
          async.complete();
        });
  }

  private void on(String path, Work work) {
    HttpServlet servlet =
        new HttpServlet() {
          private static final long serialVersionUID = 1;

          @Override
          protected void service(HttpServletRequest request, HttpServletResponse response)
              throws IOException, ServletException {
            handled.incrementAndGet();
            work.on(request, response);
          }
        };
    ServletHolder holder = new ServletHolder(servlet);
    holder.setAsyncSupported(true);
    context.addServlet(holder, path);
  }

  private void filter(Filter filter) {
    FilterHolder holder = new FilterHolder(filter);
    holder.setAsyncSupported(true);
    context.addFilter(holder, "/*", EnumSet.allOf(DispatcherType.class));
  }

  private HttpLimiter limiter(Rule... rules) {
    return HttpLimiter.builder(store).rules(List.of(rules)).build();
  }

  private HttpLimiter serve(Rule... rules) throws Exception {
    HttpLimiter limiter = limiter(rules);
    filter(new RateLimitFilter(limiter));
    server.start();
    return limiter;
  }

  private Browser browser() {
    return new Browser(connector.getLocalPort());
  }

  /** The client may see the response before the filter has seen it done. */
  private static long usedSoon(HttpLimiter limiter, long expected) {
    long end = System.nanoTime() + TOO_LONG * 1_000_000L;
    while (limiter.peek("login", ME).used() != expected && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    return limiter.peek("login", ME).used();
  }

  @Test
  void what_may_pass_is_answered_with_the_headers() throws Exception {
    serve(Rule.of("api", TEN));
    HttpResponse<String> response = browser().get("/shop/plain");
    assertThat(response.body()).isEqualTo("hello");
    assertThat(header(response, "RateLimit")).isEqualTo("\"api\";r=9;t=60");
    assertThat(header(response, "RateLimit-Policy")).isEqualTo("\"api\";q=10;w=60");
  }

  @Test
  void a_refusal_is_sent_whole() throws Exception {
    serve(Rule.of("api", ONE));
    browser().get("/shop/plain");
    HttpResponse<String> response = browser().get("/shop/plain");
    assertThat(response.statusCode()).isEqualTo(429);
    assertThat(header(response, "Retry-After")).isEqualTo("60");
    assertThat(header(response, "RateLimit")).isEqualTo("\"api\";r=0;t=60");
    assertThat(header(response, "Content-Type")).isEqualTo("application/problem+json");
    assertThat(response.body()).contains("\"violated-policies\":[\"api\"]");
  }

  @Test
  void a_refused_request_does_not_reach_its_servlet() throws Exception {
    serve(Rule.of("api", ONE));
    browser().get("/shop/plain");
    browser().get("/shop/plain");
    assertThat(handled).hasValue(1);
  }

  @Test
  void a_refused_head_has_the_headers_and_no_body() throws Exception {
    serve(Rule.of("api", ONE));
    browser().get("/shop/plain");
    HttpResponse<String> response = browser().send("HEAD", "/shop/plain");
    assertThat(response.statusCode()).isEqualTo(429);
    assertThat(header(response, "Retry-After")).isEqualTo("60");
    assertThat(response.body()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "plain",
        "forward",
        "include",
        "error",
        "fail",
        "nowhere",
        "async",
        "async200",
        "dispatch",
        "dispatchTwice",
        "dispatchFail"
      })
  void a_request_is_charged_once_whatever_it_is_dispatched_to(String path) throws Exception {
    HttpLimiter limiter = serve(Rule.of("api", TEN));
    HttpResponse<String> response = browser().get("/shop/" + path);
    assertThat(limiter.peek("api", ME).used()).isEqualTo(1);
    assertThat(header(response, "RateLimit")).isEqualTo("\"api\";r=9;t=60");
  }

  @ParameterizedTest
  @CsvSource({
    "plain, 0", "unauthorized, 1", "denied, 1", "error, 0", "fail, 0", "forward, 0",
    "forward401, 1", "async, 0", "async200, 0", "async401, 1", "dispatch, 0", "dispatch401, 1",
    "dispatchTwice, 1", "dispatchFail, 0"
  })
  void only_failed_logins_stay_charged(String path, long charged) throws Exception {
    AtomicInteger settled = new AtomicInteger();
    HttpLimiter limiter =
        serve(
            Rule.of("login", TEN)
                .onlyIf(
                    status -> {
                      settled.incrementAndGet();
                      return status == 401;
                    }));
    browser().get("/shop/" + path);
    server.stop(); // so that whatever is to be settled is
    assertThat(settled).hasValue(1);
    assertThat(limiter.peek("login", ME).used()).isEqualTo(charged);
  }

  @ParameterizedTest
  @ValueSource(strings = {"fail", "dispatchFail"})
  void a_servlet_that_throws_has_answered_500(String path) throws Exception {
    HttpLimiter limiter = serve(Rule.of("login", TEN).onlyIf(status -> status != 500));
    browser().get("/shop/" + path);
    assertThat(usedSoon(limiter, 0)).isZero();
  }

  @Test
  void paths_are_those_within_the_context() throws Exception {
    HttpLimiter limiter = serve(Rule.of("api", TEN).on("/orders/{id}"));
    browser().get("/shop/orders/7");
    browser().get("/shop/plain");
    assertThat(limiter.peek("api", ME).used()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/shop/orders/7",
        "/shop//orders/7",
        "//shop/orders/7",
        "/shop/./orders/7",
        "/shop/%2e/orders/7",
        "/shop/b/%2E%2e/orders/7",
        "/shop/orders;x=1/7",
        "/shop;x=1/orders/7",
        "/%73hop/orders/7",
        "/x/../shop/orders/7",
        "/shop/../shop/orders/7",
        "/shop/%2e%2e/shop/orders/7",
        "/shop/orders/7/../8",
        "/shop/%6Frders/7/",
        "/shop/orders%2F7"
      })
  void no_way_of_writing_a_path_dodges_its_rule(String path) throws Exception {
    serve(Rule.of("orders", ONE).on("/orders/{id}"));
    browser().get("/shop/orders/7");
    handled.set(0);
    browser().get(path);
    assertThat(handled).hasValue(0);
  }

  @Test
  void a_rule_by_principal_counts_for_who_is_authenticated() throws Exception {
    filter(
        (request, response, chain) ->
            chain.doFilter(
                new HttpServletRequestWrapper((HttpServletRequest) request) {
                  @Override
                  public Principal getUserPrincipal() {
                    return () -> "alice";
                  }
                },
                response));
    HttpLimiter limiter = serve(Rule.of("api", TEN).by(KeySource.principal()));
    browser().get("/shop/plain");
    assertThat(limiter.peek("api", "alice").used()).isEqualTo(1);
  }

  @Test
  void two_filters_in_one_chain_show_both_policies() throws Exception {
    filter(new RateLimitFilter(limiter(Rule.of("first", TEN))));
    serve(Rule.of("second", TEN));
    assertThat(header(browser().get("/shop/plain"), "RateLimit-Policy"))
        .isEqualTo("\"first\";q=10;w=60, \"second\";q=10;w=60");
  }

  @Test
  void what_the_first_of_two_filters_refuses_the_second_does_not_charge() throws Exception {
    filter(new RateLimitFilter(limiter(Rule.of("first", ONE))));
    HttpLimiter second = serve(Rule.of("second", TEN));
    browser().get("/shop/plain");
    browser().get("/shop/plain");
    assertThat(second.peek("second", ME).used()).isEqualTo(1);
  }
}
