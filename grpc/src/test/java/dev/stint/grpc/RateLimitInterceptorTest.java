package dev.stint.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.stint.Store;
import dev.stint.http.HttpLimiter;
import dev.stint.http.KeySource;
import dev.stint.http.MissingKey;
import dev.stint.http.Rule;
import dev.stint.memory.MemoryStore;
import dev.stint.testkit.ManualTime;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RateLimitInterceptorTest {

  private static final String LOOPBACK = "127.0.0.1";

  private final ManualTime time = ManualTime.create();
  private final Store store = MemoryStore.builder().time(time).build();

  private HttpLimiter limiter(Rule... rules) {
    return HttpLimiter.builder(store).rules(List.of(rules)).build();
  }

  private static Rule twice() {
    return Rule.of("api", "2/minute fixed-window-per-key");
  }

  private static Rule once() {
    return Rule.of("api", "1/minute fixed-window-per-key");
  }

  private static TalkServer server(HttpLimiter limiter) throws Exception {
    return TalkServer.behind(new RateLimitInterceptor(limiter));
  }

  @Test
  void a_limiter_must_be_given() {
    assertThatThrownBy(() -> new RateLimitInterceptor(null)).hasMessage("limiter must not be null");
  }

  @Test
  void an_answered_call_has_the_fields_in_its_headers_only() throws Exception {
    try (TalkServer server = server(limiter(twice()))) {
      Ended ended = server.say("hello");
      assertThat(ended.messages()).containsExactly("hello");
      assertThat(ended.header("ratelimit-policy")).isEqualTo("\"api\";q=2;w=60");
      assertThat(ended.header("ratelimit")).isEqualTo("\"api\";r=1;t=60");
      assertThat(ended.trailer("ratelimit")).isNull();
    }
  }

  @Test
  void a_call_that_ends_without_headers_has_the_fields_in_its_trailers() throws Exception {
    try (TalkServer server = server(limiter(twice()))) {
      Ended ended = server.say("end NOT_FOUND");
      assertThat(ended.code()).isEqualTo(Status.Code.NOT_FOUND);
      assertThat(ended.trailer("ratelimit-policy")).isEqualTo("\"api\";q=2;w=60");
      assertThat(ended.trailer("ratelimit")).isEqualTo("\"api\";r=1;t=60");
    }
  }

  @Test
  void a_refused_call_says_why_and_when_to_come_back() throws Exception {
    try (TalkServer server = server(limiter(once()))) {
      server.say("first");
      time.advance(Duration.ofSeconds(18));
      Ended ended = server.say("second");
      assertThat(ended.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
      assertThat(ended.status().getDescription())
          .isEqualTo("The policy api has no room for this request; try again in 42 s.");
      assertThat(ended.trailer("retry-after")).isEqualTo("42");
      assertThat(ended.trailer("ratelimit-policy")).isEqualTo("\"api\";q=1;w=60");
      assertThat(ended.trailer("ratelimit")).isEqualTo("\"api\";r=0;t=42");
      assertThat(ended.retryDelay()).contains(42L);
    }
  }

  @Test
  void who_comes_back_when_told_is_admitted() throws Exception {
    try (TalkServer server = server(limiter(once()))) {
      server.say("first");
      long seconds = server.say("second").retryDelay().orElseThrow();
      time.advance(Duration.ofSeconds(seconds - 1));
      assertThat(server.say("early").code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
      time.advance(Duration.ofSeconds(1));
      assertThat(server.say("third").code()).isEqualTo(Status.Code.OK);
    }
  }

  @Test
  void a_cost_that_never_fits_has_no_time_to_come_back() throws Exception {
    try (TalkServer server = server(limiter(twice().cost(3)))) {
      Ended ended = server.say("hello");
      assertThat(ended.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
      assertThat(ended.trailer("retry-after")).isNull();
      assertThat(ended.retryDelay()).isEmpty();
    }
  }

  @Test
  void a_plain_text_in_place_of_the_standard_body_is_the_description() throws Exception {
    HttpLimiter limiter =
        HttpLimiter.builder(store)
            .rule(once())
            .refusal((request, standard) -> standard.body("text/plain", "Slow down, please."))
            .build();
    try (TalkServer server = server(limiter)) {
      server.say("first");
      assertThat(server.say("second").status().getDescription()).isEqualTo("Slow down, please.");
    }
  }

  static Stream<Arguments> kinds() {
    return Stream.of(
        Arguments.of(Talk.UNARY, List.of("a"), List.of("a")),
        Arguments.of(Talk.MANY_ANSWERS, List.of("a"), List.of("a1", "a2", "a3")),
        Arguments.of(Talk.MANY_QUESTIONS, List.of("a", "b", "c"), List.of("a b c")),
        Arguments.of(Talk.BOTH, List.of("a", "b", "c"), List.of("a", "b", "c")));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void every_kind_of_call_is_charged_once(
      MethodDescriptor<String, String> method, List<String> words, List<String> answers)
      throws Exception {
    HttpLimiter limiter = limiter(twice());
    try (TalkServer server = server(limiter)) {
      Ended ended = server.begin(method, words.toArray(String[]::new)).end();
      assertThat(ended.messages()).isEqualTo(answers);
      assertThat(limiter.peek("api", LOOPBACK).remaining()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void no_handler_of_a_refused_call_is_called(
      MethodDescriptor<String, String> method, List<String> words) throws Exception {
    try (TalkServer server = server(limiter(twice().cost(3)))) {
      Ended ended = server.begin(method, words.toArray(String[]::new)).end();
      assertThat(ended.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
      assertThat(ended.messages()).isEmpty();
      assertThat(server.handled()).isEmpty();
    }
  }

  @Test
  void nobody_is_believed_about_an_address_who_is_not_trusted() throws Exception {
    try (TalkServer server = server(limiter(once()))) {
      server.say("first", TalkServer.sent("x-forwarded-for", "203.0.113.1"));
      Ended ended = server.say("second", TalkServer.sent("x-forwarded-for", "203.0.113.2"));
      assertThat(ended.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    }
  }

  @Test
  void a_trusted_proxy_says_whom_it_speaks_for() throws Exception {
    HttpLimiter limiter =
        HttpLimiter.builder(store).rule(once()).trustedProxies("127.0.0.0/8").build();
    try (TalkServer server = server(limiter)) {
      server.say("first", TalkServer.sent("x-forwarded-for", "198.51.100.1, 203.0.113.1"));
      assertThat(limiter.peek("api", "203.0.113.1").allowed()).isFalse();
      assertThat(limiter.peek("api", "198.51.100.1").allowed()).isTrue();
      assertThat(limiter.peek("api", LOOPBACK).allowed()).isTrue();
    }
  }

  @Test
  void several_lines_of_a_header_are_read_in_order() throws Exception {
    HttpLimiter limiter =
        HttpLimiter.builder(store).rule(once()).trustedProxies("127.0.0.0/8").build();
    try (TalkServer server = server(limiter)) {
      server.say(
          "first",
          TalkServer.sent("x-forwarded-for", "198.51.100.1", "x-forwarded-for", "203.0.113.1"));
      assertThat(limiter.peek("api", "203.0.113.1").allowed()).isFalse();
    }
  }

  @Test
  void keys_come_from_the_metadata() throws Exception {
    HttpLimiter limiter = limiter(once().by(KeySource.bearerToken()));
    try (TalkServer server = server(limiter)) {
      server.say("first", TalkServer.sent("authorization", "Bearer abc"));
      assertThat(limiter.peek("api", "abc").allowed()).isFalse();
    }
  }

  @Test
  void a_name_that_metadata_cannot_have_finds_no_key() throws Exception {
    HttpLimiter limiter =
        limiter(
            once()
                .by(KeySource.firstOf(KeySource.header("data-bin"), KeySource.header("x!")))
                .missingKey(MissingKey.SKIP));
    try (TalkServer server = server(limiter)) {
      assertThat(server.say("first").code()).isEqualTo(Status.Code.OK);
      assertThat(server.say("second").code()).isEqualTo(Status.Code.OK);
    }
  }

  @Test
  void the_host_is_the_authority_of_the_call() throws Exception {
    HttpLimiter limiter = limiter(once().by(KeySource.header("Host")).missingKey(MissingKey.DENY));
    try (TalkServer server = server(limiter)) {
      assertThat(server.say("first").code()).isEqualTo(Status.Code.OK);
    }
  }

  @Test
  void a_rule_can_be_for_one_method() throws Exception {
    try (TalkServer server = server(limiter(twice().cost(3).on("POST", "/test.Talk/Count")))) {
      assertThat(server.say("free").code()).isEqualTo(Status.Code.OK);
      assertThat(server.begin(Talk.MANY_ANSWERS, "a").end().code())
          .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    }
  }

  @Test
  void the_route_of_a_call_is_its_method() throws Exception {
    HttpLimiter limiter = limiter(once().by(KeySource.route()));
    try (TalkServer server = server(limiter)) {
      server.say("first");
      assertThat(limiter.peek("api", "/test.Talk/Say").allowed()).isFalse();
    }
  }

  @Test
  void the_principal_is_found_in_the_context() throws Exception {
    HttpLimiter limiter = limiter(once().by(KeySource.principal()));
    try (TalkServer server =
        TalkServer.behind(
            new Authentication(),
            new RateLimitInterceptor(limiter).principal(Authentication.USER))) {
      server.say("first", TalkServer.sent("user", "alice"));
      assertThat(limiter.peek("api", "alice").allowed()).isFalse();
    }
  }

  @Test
  void the_principal_is_found_by_a_function_of_the_call() throws Exception {
    HttpLimiter limiter = limiter(once().by(KeySource.principal()));
    RateLimitInterceptor interceptor =
        new RateLimitInterceptor(limiter)
            .principal(call -> call.getMethodDescriptor().getBareMethodName());
    try (TalkServer server = TalkServer.behind(interceptor)) {
      server.say("first");
      assertThat(limiter.peek("api", "Say").allowed()).isFalse();
    }
  }

  @Test
  void what_clients_are_told_speaks_of_all_interceptors() throws Exception {
    RateLimitInterceptor first = new RateLimitInterceptor(limiter(Rule.of("wide", "9/minute")));
    RateLimitInterceptor second = new RateLimitInterceptor(limiter(Rule.of("narrow", "5/minute")));
    try (TalkServer server = TalkServer.behind(first, second)) {
      Ended ended = server.say("hello");
      assertThat(ended.headers().getAll(Texts.key("ratelimit-policy")))
          .containsExactly("\"wide\";q=9;w=60, \"narrow\";q=5;w=60");
      assertThat(ended.header("ratelimit")).startsWith("\"narrow\";r=4");
    }
  }

  @Test
  void a_rule_that_watches_neither_refuses_nor_shows() throws Exception {
    HttpLimiter limiter = limiter(once().shadow());
    try (TalkServer server = server(limiter)) {
      server.say("first");
      Ended ended = server.say("second");
      assertThat(ended.code()).isEqualTo(Status.Code.OK);
      assertThat(ended.header("ratelimit")).isNull();
      assertThat(limiter.peek("api", LOOPBACK).allowed()).isFalse();
    }
  }

  @Test
  void who_is_blocked_has_no_permission() throws Exception {
    HttpLimiter limiter =
        HttpLimiter.builder(store).rule(once()).block(List.of("127.0.0.0/8")).build();
    try (TalkServer server = server(limiter)) {
      Ended ended = server.say("hello");
      assertThat(ended.code()).isEqualTo(Status.Code.PERMISSION_DENIED);
      assertThat(ended.status().getDescription()).isEqualTo("This client is blocked.");
      assertThat(ended.retryDelay()).isEmpty();
      assertThat(server.handled()).isEmpty();
    }
  }

  @Test
  void who_lacks_the_key_has_no_permission() throws Exception {
    try (TalkServer server =
        server(limiter(once().by(KeySource.bearerToken()).missingKey(MissingKey.DENY)))) {
      Ended ended = server.say("hello");
      assertThat(ended.code()).isEqualTo(Status.Code.PERMISSION_DENIED);
      assertThat(ended.status().getDescription())
          .isEqualTo("This request lacks what the policy api counts by.");
    }
  }

  @Test
  void failed_logins_are_charged_and_others_given_back() throws Exception {
    HttpLimiter limiter = limiter(twice().onlyIf(status -> status == 401));
    try (TalkServer server = server(limiter)) {
      server.say("welcome");
      assertThat(limiter.peek("api", LOOPBACK).remaining()).isEqualTo(2);
      server.say("end UNAUTHENTICATED");
      assertThat(limiter.peek("api", LOOPBACK).remaining()).isEqualTo(1);
    }
  }

  @Test
  void a_handler_that_throws_ends_with_500() throws Exception {
    HttpLimiter limiter = limiter(twice().onlyIf(status -> status != 500));
    try (TalkServer server = server(limiter)) {
      assertThat(server.say("throw").code()).isEqualTo(Status.Code.UNKNOWN);
      await().until(() -> limiter.peek("api", LOOPBACK).remaining() == 2);
    }
  }

  @Test
  void a_call_that_its_client_cancels_ends_with_499() throws Exception {
    HttpLimiter limiter = limiter(twice().onlyIf(status -> status != 499));
    try (TalkServer server = server(limiter)) {
      Conversation conversation = server.begin(Talk.UNARY, "nothing");
      await().until(() -> server.handled().contains("Say"));
      assertThat(limiter.peek("api", LOOPBACK).remaining()).isEqualTo(1);
      conversation.cancel();
      await().until(() -> limiter.peek("api", LOOPBACK).remaining() == 2);
    }
  }
}
