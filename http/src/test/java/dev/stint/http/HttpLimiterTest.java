package dev.stint.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.Limit;
import dev.stint.Store;
import dev.stint.memory.MemoryStore;
import dev.stint.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class HttpLimiterTest {

  private final ManualTime time = ManualTime.create();
  private final Store store = MemoryStore.builder().time(time).build();

  private HttpLimiter limiter(Rule... rules) {
    return HttpLimiter.builder(store).rules(List.of(rules)).build();
  }

  private static Map<String, String> headers(Answer answer) {
    Map<String, String> headers = new TreeMap<>();
    answer.headers(headers::put);
    return headers;
  }

  @Test
  void a_rule_without_more_counts_every_path_by_address() {
    HttpLimiter limiter = limiter(Rule.of("api", "2/minute fixed-window-per-key"));
    assertThat(limiter.decide(FakeRequest.get("/a")).allowed()).isTrue();
    assertThat(limiter.decide(FakeRequest.get("/b")).allowed()).isTrue();
    assertThat(limiter.decide(FakeRequest.get("/c")).allowed()).isFalse();
    assertThat(limiter.decide(FakeRequest.get("/c").from("203.0.113.10")).allowed()).isTrue();
  }

  @Test
  void an_answer_has_the_fields_of_the_draft() {
    HttpLimiter limiter = limiter(Rule.of("api", "2/minute fixed-window-per-key"));
    assertThat(headers(limiter.decide(FakeRequest.get("/"))))
        .containsExactly(
            Map.entry("RateLimit", "\"api\";r=1;t=60"),
            Map.entry("RateLimit-Policy", "\"api\";q=2;w=60"));
  }

  @Test
  void a_refusal_says_when_to_come_back() {
    HttpLimiter limiter = limiter(Rule.of("api", "1/minute fixed-window-per-key"));
    limiter.decide(FakeRequest.get("/"));
    time.advance(Duration.ofMillis(500));
    Answer answer = limiter.decide(FakeRequest.get("/"));
    assertThat(headers(answer))
        .containsExactly(
            Map.entry("RateLimit", "\"api\";r=0;t=60"),
            Map.entry("RateLimit-Policy", "\"api\";q=1;w=60"),
            Map.entry("Retry-After", "60"));
    assertThat(answer.refusal().orElseThrow().body())
        .isEqualTo(
            "{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
                + "\"title\":\"Quota Exceeded\",\"status\":429,"
                + "\"detail\":\"The policy api has no room for this request; try again in 60 s.\","
                + "\"violated-policies\":[\"api\"]}");
  }

  @Test
  void a_cost_that_never_fits_has_no_retry_after() {
    HttpLimiter limiter = limiter(Rule.of("api", "3/minute").cost(4));
    Answer answer = limiter.decide(FakeRequest.get("/"));
    assertThat(answer.allowed()).isFalse();
    assertThat(headers(answer)).doesNotContainKey("Retry-After");
  }

  @Test
  void what_one_rule_refuses_no_rule_charges() {
    HttpLimiter limiter =
        limiter(
            Rule.of("address", "10/minute fixed-window-per-key"),
            Rule.of("token", "1/minute fixed-window-per-key").by(KeySource.bearerToken()));
    FakeRequest request = FakeRequest.get("/").header("Authorization", "bearer abc");
    assertThat(limiter.decide(request).allowed()).isTrue();
    assertThat(limiter.decide(request).allowed()).isFalse();
    assertThat(limiter.peek("address", "203.0.113.9").remaining()).isEqualTo(9);
  }

  @Test
  void rules_in_different_stores_give_back_what_a_later_one_refuses() {
    Store other = MemoryStore.builder().time(time).build();
    HttpLimiter limiter =
        limiter(
            Rule.of("first", "10/minute fixed-window-per-key"),
            Rule.of("second", "1/minute fixed-window-per-key").in(other));
    assertThat(limiter.decide(FakeRequest.get("/")).allowed()).isTrue();
    assertThat(limiter.decide(FakeRequest.get("/")).allowed()).isFalse();
    assertThat(limiter.peek("first", "203.0.113.9").remaining()).isEqualTo(9);
  }

  @Test
  void rules_of_one_name_share_a_budget_and_charge_it_once() {
    Rule rule = Rule.of("login", "3/minute fixed-window-per-key");
    HttpLimiter limiter = limiter(rule.on("/login"), rule.on("/login/**"), rule.on("/token"));
    assertThat(limiter.decide(FakeRequest.get("/login")).allowed()).isTrue();
    assertThat(limiter.peek("login", "203.0.113.9").remaining()).isEqualTo(2);
    limiter.decide(FakeRequest.get("/token"));
    assertThat(limiter.peek("login", "203.0.113.9").remaining()).isEqualTo(1);
  }

  @Test
  void a_rule_that_watches_neither_refuses_nor_shows() {
    HttpLimiter limiter = limiter(Rule.of("try", "1/minute").shadow());
    limiter.decide(FakeRequest.get("/"));
    Answer second = limiter.decide(FakeRequest.get("/"));
    assertThat(second.allowed()).isTrue();
    assertThat(headers(second)).isEmpty();
    assertThat(limiter.peek("try", "203.0.113.9").allowed()).isFalse();
  }

  @Test
  void failed_logins_are_charged_and_others_given_back() {
    HttpLimiter limiter =
        limiter(Rule.of("login", "2/minute fixed-window-per-key").onlyIf(status -> status == 401));
    limiter.decide(FakeRequest.get("/")).finished(200);
    assertThat(limiter.peek("login", "203.0.113.9").remaining()).isEqualTo(2);
    limiter.decide(FakeRequest.get("/")).finished(401);
    assertThat(limiter.peek("login", "203.0.113.9").remaining()).isEqualTo(1);
  }

  @Test
  void parallel_guesses_do_not_get_beyond_the_limit() {
    HttpLimiter limiter = limiter(Rule.of("login", "2/minute").onlyIf(status -> status == 401));
    assertThat(limiter.decide(FakeRequest.get("/")).allowed()).isTrue();
    assertThat(limiter.decide(FakeRequest.get("/")).allowed()).isTrue();
    assertThat(limiter.decide(FakeRequest.get("/")).allowed()).isFalse();
  }

  @Test
  void several_limits_of_a_rule_have_names_of_their_own() {
    HttpLimiter limiter =
        limiter(Rule.of("api", Limit.parse("5/minute"), Limit.parse("100/day fixed-window")));
    assertThat(headers(limiter.decide(FakeRequest.get("/"))).get("RateLimit-Policy"))
        .isEqualTo("\"api.minute\";q=5;w=60, \"api.day\";q=100;w=86400");
  }

  @Test
  void a_rule_by_tenant_must_be_told_how_to_find_one() {
    assertThatThrownBy(() -> limiter(Rule.of("t", "1/minute").by(KeySource.tenant())))
        .hasMessage(
            "a rule by tenant must be told how to find one: rule t; call tenant(...), for example"
                + " with KeySource.header(\"X-Tenant\")");
  }
}
