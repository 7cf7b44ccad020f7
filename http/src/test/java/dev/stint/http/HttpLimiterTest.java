package dev.stint.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.Store;
import dev.stint.StoreException;
import dev.stint.TimeSource;
import dev.stint.algorithm.Operation;
import dev.stint.memory.MemoryStore;
import dev.stint.testkit.ManualTime;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
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
  void a_refusal_waits_for_what_it_charged_too_where_denied_hits_count() {
    HttpLimiter limiter =
        limiter(
            Rule.of("second", "1/second fixed-window-per-key"),
            Rule.of("reports", "8/minute counting-denied").cost(3));
    assertThat(limiter.decide(FakeRequest.get("/")).allowed()).isTrue();
    time.advance(Duration.ofMillis(999));
    // The other rule refuses. Here there was room, but now 5.87 are in use, and one leaves in 7.5
    // s.
    Answer answer = limiter.decide(FakeRequest.get("/"));
    assertThat(answer.allowed()).isFalse();
    assertThat(headers(answer)).containsEntry("Retry-After", "7");
    assertThat(answer.refusal().orElseThrow().body())
        .contains("\"violated-policies\":[\"second\"]");
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
  void where_rules_of_one_name_meet_the_one_that_watches_gives_way() {
    Rule rule = Rule.of("api", "1/minute");
    HttpLimiter limiter = limiter(rule.on("/new").shadow(), rule);
    assertThat(limiter.decide(FakeRequest.get("/new")).allowed()).isTrue();
    assertThat(limiter.decide(FakeRequest.get("/new")).allowed()).isFalse();
  }

  @Test
  void rules_of_one_name_must_not_differ_in_amount_alone() {
    Rule all = Rule.of("api", "100/minute");
    Rule few = Rule.of("api", "10/minute").on("/login");
    assertThatThrownBy(() -> limiter(all, few))
        .hasMessage(
            "rules that share a budget must agree on it: api has 100/minute and 10/minute; give one"
                + " of them another name");
    assertThat(limiter(all, Rule.of("api", "1000/hour"), few.in(Store.admitting())).rules())
        .hasSize(3);
  }

  @Test
  void a_replaced_refusal_that_is_nothing_lets_nobody_pass() {
    HttpLimiter limiter =
        HttpLimiter.builder(store)
            .rule(Rule.of("api", "1/minute"))
            .block(List.of("203.0.113.66"))
            .refusal((request, standard) -> nothing())
            .build();
    limiter.decide(FakeRequest.get("/"));
    assertThat(limiter.decide(FakeRequest.get("/")).allowed()).isFalse();
    assertThat(limiter.decide(FakeRequest.get("/").from("203.0.113.66")).allowed()).isFalse();
  }

  @SuppressWarnings("NullAway") // as a careless function would
  private static Refusal nothing() {
    return null;
  }

  @Test
  void each_limiter_reads_the_address_by_its_own_proxies() {
    FakeRequest request = FakeRequest.get("/").header("X-Forwarded-For", "198.51.100.1");
    limiter(Rule.of("peer", "1/minute")).decide(request);
    HttpLimiter trusting =
        HttpLimiter.builder(store)
            .rule(Rule.of("client", "1/minute"))
            .trustedProxies("203.0.113.9")
            .build();
    trusting.decide(request);
    assertThat(trusting.peek("client", "198.51.100.1").allowed()).isFalse();
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
  void a_store_that_fails_before_it_has_a_future_fails_no_response() {
    Store failing = new FailingRefunds(store);
    Rule login = Rule.of("login", "2/minute").in(failing).onlyIf(status -> status == 401);
    HttpLimiter limiter = limiter(login);
    limiter.decide(FakeRequest.get("/login")).finished(200);
    assertThat(limiter.peek("login", "203.0.113.9").used()).isEqualTo(1);
  }

  /** A store that cannot be told anything. */
  private record FailingRefunds(Store store) implements Store {

    @Override
    public Decision run(Operation operation, List<KeyedLimit> limits) {
      return store.run(operation, limits);
    }

    @Override
    public CompletionStage<Decision> runAsync(Operation operation, List<KeyedLimit> limits) {
      throw new StoreException("not there");
    }

    @Override
    public TimeSource time() {
      return store.time();
    }

    @Override
    public void prepare(Collection<Limit> limits) {
      store.prepare(limits);
    }

    @Override
    public long clean() {
      return 0;
    }

    @Override
    public void close() {}
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

  @Test
  void who_is_allowed_passes_uncounted() {
    HttpLimiter limiter =
        HttpLimiter.builder(store)
            .rule(Rule.of("api", "1/minute"))
            .allow(List.of("203.0.113.0/24"))
            .build();
    Answer answer = limiter.decide(FakeRequest.get("/"));
    assertThat(answer.allowed()).isTrue();
    assertThat(headers(answer)).isEmpty();
    assertThat(limiter.peek("api", "203.0.113.9").remaining()).isEqualTo(1);
  }

  @Test
  void who_is_blocked_is_refused_even_if_allowed() {
    HttpLimiter limiter =
        HttpLimiter.builder(store)
            .rule(Rule.of("api", "1/minute"))
            .allow(List.of("203.0.113.0/24"))
            .block(List.of("203.0.113.9"))
            .build();
    Refusal refusal = limiter.decide(FakeRequest.get("/")).refusal().orElseThrow();
    assertThat(refusal.reason()).isEqualTo(Refusal.Reason.BLOCKED);
    assertThat(refusal.status()).isEqualTo(403);
    assertThat(refusal.retryAfter()).isEmpty();
    assertThat(limiter.decide(FakeRequest.get("/").from("203.0.113.10")).allowed()).isTrue();
  }

  @Test
  void keys_are_allowed_and_blocked_by_their_kind() {
    HttpLimiter limiter =
        HttpLimiter.builder(store)
            .rule(Rule.of("api", "1/minute").by(KeySource.header("X-Api-Key")))
            .allowKeys(List.of("header:x-api-key:friend"))
            .blockKeys(List.of("header:x-api-key:foe"))
            .build();
    for (int i = 0; i < 3; i++) {
      assertThat(limiter.decide(FakeRequest.get("/").header("X-Api-Key", "friend")).allowed())
          .isTrue();
    }
    assertThat(limiter.decide(FakeRequest.get("/").header("X-Api-Key", "foe")).allowed()).isFalse();
    assertThat(limiter.decide(FakeRequest.get("/").header("X-Api-Key", "x")).allowed()).isTrue();
  }

  @Test
  void a_listed_key_without_its_kind_is_refused() {
    assertThatThrownBy(() -> HttpLimiter.builder(store).allowKeys(List.of("monitor")))
        .hasMessage(
            "a key of a list must have its kind in front, such as principal:monitor or"
                + " header:x-api-key:4711: monitor");
  }

  @Test
  void the_address_is_what_trusted_proxies_say() {
    HttpLimiter limiter =
        HttpLimiter.builder(store)
            .rule(Rule.of("api", "1/minute"))
            .trustedProxies("10.0.0.0/8")
            .build();
    FakeRequest first =
        FakeRequest.get("/").from("10.1.2.3").header("X-Forwarded-For", "192.0.2.1");
    FakeRequest other =
        FakeRequest.get("/").from("10.1.2.3").header("X-Forwarded-For", "192.0.2.2");
    assertThat(limiter.decide(first).allowed()).isTrue();
    assertThat(limiter.decide(other).allowed()).isTrue();
    assertThat(limiter.decide(first).allowed()).isFalse();
    assertThat(limiter.peek("api", "192.0.2.1").allowed()).isFalse();
  }

  @Test
  void a_missing_key_means_what_the_rule_says() {
    KeySource source = KeySource.bearerToken();
    HttpLimiter skip = limiter(Rule.of("a", "1/minute").by(source).missingKey(MissingKey.SKIP));
    HttpLimiter shared = limiter(Rule.of("b", "1/minute").by(source));
    HttpLimiter deny = limiter(Rule.of("c", "1/minute").by(source).missingKey(MissingKey.DENY));
    FakeRequest request = FakeRequest.get("/");
    assertThat(skip.decide(request).allowed()).isTrue();
    assertThat(skip.decide(request).allowed()).isTrue();
    assertThat(shared.decide(request).allowed()).isTrue();
    assertThat(shared.decide(request.from("192.0.2.1")).allowed()).isFalse();
    Refusal refusal = deny.decide(request).refusal().orElseThrow();
    assertThat(refusal.reason()).isEqualTo(Refusal.Reason.MISSING_KEY);
    assertThat(refusal.status()).isEqualTo(403);
  }

  @Test
  void a_cost_is_computed_from_the_request() {
    HttpLimiter limiter =
        limiter(
            Rule.of("api", "10/minute fixed-window-per-key")
                .cost(request -> Long.parseLong(String.valueOf(request.header("X-Cost")))));
    limiter.decide(FakeRequest.get("/").header("X-Cost", "4"));
    assertThat(limiter.peek("api", "203.0.113.9").remaining()).isEqualTo(6);
    assertThat(limiter.decide(FakeRequest.get("/").header("X-Cost", "7")).allowed()).isFalse();
    assertThat(headers(limiter.decide(FakeRequest.get("/").header("X-Cost", "0")))).isEmpty();
    limiter.decide(FakeRequest.get("/").header("X-Cost", "-5"));
    assertThat(limiter.peek("api", "203.0.113.9").remaining()).isEqualTo(5);
  }

  @Test
  void a_refusal_can_be_replaced_whole_or_in_part() {
    HttpLimiter limiter =
        HttpLimiter.builder(store)
            .rule(Rule.of("api", "3/minute").cost(4))
            .refusal((request, standard) -> standard.status(503))
            .build();
    Refusal refusal = limiter.decide(FakeRequest.get("/")).refusal().orElseThrow();
    assertThat(refusal.status()).isEqualTo(503);
    assertThat(refusal.body()).contains("\"status\":503").contains("never will");
    assertThat(refusal.body("text/plain", "no").status(429).body()).isEqualTo("no");
    assertThatThrownBy(() -> refusal.status(200))
        .hasMessage("the status of a refusal must be from 400 to 599: 200");
    assertThatThrownBy(() -> refusal.body("text/plain\r\nX: y", ""))
        .hasMessageStartingWith("a content type must be like text/plain");
    assertThatThrownBy(() -> refusal.body("nonsense", "x"))
        .hasMessage(
            "a content type must be like text/plain or application/json;charset=UTF-8: 'nonsense'");
  }

  @Test
  void jitter_only_ever_comes_later() {
    HttpLimiter limiter =
        HttpLimiter.builder(store)
            .rule(Rule.of("api", "1/hour fixed-window-per-key"))
            .retryJitter()
            .build();
    limiter.decide(FakeRequest.get("/"));
    for (int i = 0; i < 1_000; i++) {
      long seconds =
          Long.parseLong(headers(limiter.decide(FakeRequest.get("/"))).get("Retry-After"));
      assertThat(seconds).isBetween(3_600L, 3_630L);
    }
  }

  @Test
  void a_partition_key_is_a_hash_if_it_is_asked_for() {
    HttpLimiter limiter =
        HttpLimiter.builder(store)
            .rule(Rule.of("api", "2/minute").by(KeySource.header("X-Api-Key")))
            .partitionKeys()
            .build();
    Map<String, String> headers =
        headers(limiter.decide(FakeRequest.get("/").header("X-Api-Key", "secret")));
    assertThat(headers.get("RateLimit")).matches("\"api\";r=1;t=30;pk=:[A-Za-z0-9+/]{8}:");
    assertThat(headers.get("RateLimit-Policy")).matches("\"api\";q=2;w=60;pk=:[A-Za-z0-9+/]{8}:");
  }

  @Test
  void a_later_limiter_shows_both() {
    HttpLimiter.Builder builder =
        HttpLimiter.builder(store)
            .rule(Rule.of("address", "5/minute fixed-window-per-key"))
            .rule(Rule.of("user", "2/minute fixed-window-per-key").by(KeySource.principal()));
    HttpLimiter early = builder.buildBeforeAuthentication();
    HttpLimiter late = builder.buildAfterAuthentication();
    FakeRequest request = FakeRequest.get("/").as("ann");
    Answer first = early.decide(request);
    assertThat(headers(first).get("RateLimit")).isEqualTo("\"address\";r=4;t=60");
    Answer second = late.decide(request, first);
    assertThat(headers(second).get("RateLimit")).isEqualTo("\"user\";r=1;t=60");
    assertThat(headers(second).get("RateLimit-Policy"))
        .isEqualTo("\"address\";q=5;w=60, \"user\";q=2;w=60");
  }

  @Test
  void asked_without_blocking_it_answers_alike() throws Exception {
    Store other = MemoryStore.builder().time(time).build();
    HttpLimiter limiter =
        limiter(
            Rule.of("first", "10/minute fixed-window-per-key"),
            Rule.of("second", "1/minute fixed-window-per-key").in(other));
    Answer passed = limiter.decideAsync(FakeRequest.get("/")).toCompletableFuture().get();
    assertThat(headers(passed).get("RateLimit")).isEqualTo("\"second\";r=0;t=60");
    Answer refused = limiter.decideAsync(FakeRequest.get("/")).toCompletableFuture().get();
    assertThat(refused.allowed()).isFalse();
    assertThat(limiter.peek("first", "203.0.113.9").remaining()).isEqualTo(9);
  }

  @Test
  void a_reset_key_is_free_again() {
    HttpLimiter limiter = limiter(Rule.of("api", "1/hour"));
    limiter.decide(FakeRequest.get("/"));
    limiter.reset("api", "203.0.113.9");
    assertThat(limiter.decide(FakeRequest.get("/")).allowed()).isTrue();
    assertThatThrownBy(() -> limiter.peek("ap", "x"))
        .hasMessage("the name of a rule must be one of [api]: ap");
  }

  @Test
  void what_is_stored_is_not_the_key() {
    LastDecision last = new LastDecision(store);
    HttpLimiter.builder(last)
        .rule(Rule.of("api", "1/hour").by(KeySource.bearerToken()))
        .build()
        .decide(FakeRequest.get("/").header("Authorization", "Bearer secret"));
    assertThat(last.get().charges().get(0).key().toString())
        .matches("[0-9a-f]{32}")
        .doesNotContain("secret");
  }

  @Test
  void a_rule_needs_a_name_and_a_limit() {
    assertThatThrownBy(() -> Rule.of("a b", "1/hour"))
        .hasMessage("the name of a rule must be 1 to 64 letters, digits, '_', '.' or '-': a b");
    assertThatThrownBy(() -> Rule.of("a\r\nX-Evil: 1", "1/hour"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Rule.of("a", new Limit[0]))
        .hasMessage("a rule must have at least one limit: 0");
    assertThatThrownBy(() -> Rule.of("a", "1/hour; 2/hour"))
        .hasMessageStartingWith("limits must differ in algorithm, window or name: 2/hour named a");
    assertThatThrownBy(() -> Rule.of("a", "1/hour").cost(0))
        .hasMessage("cost must be at least 1: 0");
  }

  @Test
  @SuppressWarnings("NullAway") // a mistake that only the running rule can tell of
  void a_cost_that_is_no_function_is_refused_before_any_request() {
    assertThatThrownBy(() -> Rule.of("a", "1/hour").cost(null))
        .hasMessage("a computed cost must have a function: null");
  }

  @Test
  void listed_keys_count_whatever_the_rules_count_by() {
    HttpLimiter limiter =
        HttpLimiter.builder(store)
            .rule(Rule.of("api", "1/minute"))
            .allowKeys(List.of("header:X-Api-Key:friend", "principal:monitor"))
            .blockKeys(List.of("bearer:stolen", "address:203.0.113.66"))
            .build();
    for (int i = 0; i < 3; i++) {
      assertThat(limiter.decide(FakeRequest.get("/").header("x-api-key", "friend")).allowed())
          .isTrue();
      assertThat(limiter.decide(FakeRequest.get("/").as("monitor")).allowed()).isTrue();
    }
    FakeRequest stolen = FakeRequest.get("/").header("Authorization", "Bearer stolen");
    assertThat(limiter.decide(stolen).refusal().orElseThrow().reason())
        .isEqualTo(Refusal.Reason.BLOCKED);
    assertThat(limiter.decide(FakeRequest.get("/").from("203.0.113.66")).allowed()).isFalse();
    assertThat(limiter.decide(FakeRequest.get("/")).allowed()).isTrue();
    assertThat(limiter.decide(FakeRequest.get("/")).allowed()).isFalse();
  }

  @Test
  void a_listed_key_that_nothing_could_find_is_refused() {
    assertThatThrownBy(
            () -> HttpLimiter.builder(store).allowKeys(List.of("principle:monitor")).build())
        .hasMessageStartingWith("a key of a list must have its kind in front")
        .hasMessageEndingWith(": principle:monitor");
    HttpLimiter known =
        HttpLimiter.builder(store)
            .rule(Rule.of("api", "1/minute").by(KeySource.of("plan", request -> "gold")))
            .blockKeys(List.of("custom:plan:gold"))
            .build();
    assertThat(known.decide(FakeRequest.get("/")).allowed()).isFalse();
  }

  @Test
  void a_rule_without_headers_does_not_hide_those_of_others() {
    HttpLimiter limiter =
        limiter(
            Rule.of("quiet", "1/minute").headers(HeaderFormat.NONE), Rule.of("loud", "9/minute"));
    assertThat(headers(limiter.decide(FakeRequest.get("/"))))
        .containsEntry("RateLimit-Policy", "\"loud\";q=9;w=60")
        .hasEntrySatisfying("RateLimit", left -> assertThat(left).startsWith("\"loud\";r=8"));
    assertThat(headers(limiter.decide(FakeRequest.get("/"))))
        .containsEntry("RateLimit-Policy", "\"loud\";q=9;w=60")
        .containsKey("Retry-After");
  }

  @Test
  void rules_in_different_forms_are_each_told_in_their_own() {
    HttpLimiter limiter =
        limiter(
            Rule.of("old", "5/minute").headers(HeaderFormat.LEGACY), Rule.of("new", "9/minute"));
    assertThat(headers(limiter.decide(FakeRequest.get("/"))))
        .containsEntry("RateLimit-Policy", "\"new\";q=9;w=60")
        .containsEntry("RateLimit-Remaining", "4");
  }

  @Test
  void a_store_that_denies_is_unavailable_and_no_quota_exceeded() {
    HttpLimiter limiter =
        HttpLimiter.builder(Store.denying())
            .rule(Rule.of("api", "5/minute"))
            .rule(Rule.of("counted", "9/minute").in(store))
            .build();
    Answer answer = limiter.decide(FakeRequest.get("/"));
    Refusal refusal = answer.refusal().orElseThrow();
    assertThat(refusal.reason()).isEqualTo(Refusal.Reason.STORE_UNAVAILABLE);
    assertThat(refusal.status()).isEqualTo(503);
    assertThat(refusal.retryAfter()).hasValue(1);
    assertThat(refusal.body())
        .isEqualTo(
            "{\"type\":\"about:blank\",\"title\":\"Service Unavailable\",\"status\":503,\"detail\":"
                + "\"Requests cannot be counted at the moment; try again in 1 s.\"}");
    assertThat(headers(answer)).containsOnlyKeys("Retry-After");
    assertThat(answer.decision()).isPresent();
  }

  @Test
  void an_exempt_path_is_free_of_rules_without_a_pattern_in_every_reading_or_not_at_all() {
    HttpLimiter limiter =
        HttpLimiter.builder(store)
            .rule(Rule.of("api", "1/minute"))
            .rule(Rule.of("deep", "1/minute").on("/health/deep"))
            .exempt(List.of("/health/**"))
            .build();
    for (int i = 0; i < 3; i++) {
      assertThat(limiter.decide(FakeRequest.get("/health/live")).allowed()).isTrue();
    }
    assertThat(limiter.decide(FakeRequest.get("/health/deep")).allowed()).isTrue();
    assertThat(limiter.decide(FakeRequest.get("/health/deep")).allowed()).isFalse();
    assertThat(limiter.decide(FakeRequest.get("/health/../admin")).allowed()).isTrue();
    assertThat(limiter.decide(FakeRequest.get("/health/%2e%2e/admin")).allowed()).isFalse();
  }

  private static HttpLimiter.Builder byHeader() {
    return HttpLimiter.builder(MemoryStore.create())
        .rule(Rule.of("api", "1/minute").by(KeySource.header("X-Client-Address")));
  }

  @Test
  void a_limiter_says_whether_it_needs_addresses() {
    assertThat(byHeader().build().needsAddress()).isFalse();
    assertThat(byHeader().allowKeys(List.of("header:x-address:1")).build().needsAddress())
        .isFalse();
    assertThat(byHeader().allowKeys(List.of("address:192.0.2.1")).build().needsAddress()).isTrue();
    assertThat(byHeader().blockKeys(List.of("address:192.0.2.1")).build().needsAddress()).isTrue();
    assertThat(byHeader().allow(List.of("192.0.2.1")).build().needsAddress()).isTrue();
    assertThat(byHeader().block(List.of("192.0.2.1")).build().needsAddress()).isTrue();
    assertThat(byHeader().tenant(KeySource.clientAddress()).build().needsAddress()).isTrue();
    assertThat(HttpLimiter.of(Rule.of("api", "1/minute")).needsAddress()).isTrue();
  }

  @Test
  void lists_alone_refuse_who_is_blocked_and_charge_nobody() {
    HttpLimiter limiter =
        HttpLimiter.builder(MemoryStore.create())
            .rule(Rule.of("api", "1/minute"))
            .block(List.of("203.0.113.66"))
            .blockKeys(List.of("header:x-api-key:foe"))
            .build();
    for (int i = 0; i < 3; i++) {
      assertThat(limiter.decideByLists(FakeRequest.get("/"), null).allowed()).isTrue();
    }
    FakeRequest foe = FakeRequest.get("/").header("X-Api-Key", "foe");
    assertThat(limiter.decideByLists(foe, null).allowed()).isFalse();
    FakeRequest blocked = FakeRequest.get("/").from("203.0.113.66");
    assertThat(limiter.decideByLists(blocked, null).refusal().orElseThrow().status())
        .isEqualTo(403);
    assertThat(limiter.decide(FakeRequest.get("/")).allowed()).isTrue();
  }

  @Test
  void keys_are_read_as_the_rules_would_read_them() {
    HttpLimiter limiter =
        HttpLimiter.builder(MemoryStore.create())
            .trustedProxies("203.0.113.9")
            .tenant(KeySource.header("X-Tenant"))
            .build();
    FakeRequest request =
        FakeRequest.get("/")
            .header("X-Forwarded-For", "198.51.100.1, 192.0.2.1")
            .header("X-Tenant", "acme")
            .header("X-Api-Key", "a")
            .header("X-Api-Key", "b");
    assertThat(limiter.keyOf(request, KeySource.clientAddress())).isEqualTo("address:192.0.2.1");
    assertThat(limiter.keyOf(request, KeySource.tenant())).isEqualTo("tenant:acme");
    assertThat(limiter.keyOf(request, KeySource.parse("header:X-Api-Key | address"))).isNull();
    assertThat(limiter.finds(KeySource.tenant())).isTrue();
    HttpLimiter other = HttpLimiter.of();
    assertThat(other.keyOf(request, KeySource.clientAddress())).isEqualTo("address:203.0.113.9");
    assertThat(other.finds(KeySource.parse("address + tenant"))).isFalse();
    assertThat(other.finds(KeySource.clientAddress())).isTrue();
  }
}
