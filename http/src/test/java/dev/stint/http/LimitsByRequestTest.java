package dev.stint.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stint.Limit;
import dev.stint.Store;
import dev.stint.memory.MemoryStore;
import dev.stint.testkit.ManualTime;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rules whose limits depend on the request. */
class LimitsByRequestTest {

  private final ManualTime time = ManualTime.create();
  private final Store store = MemoryStore.builder().time(time).build();
  private final Map<String, String> plans = new ConcurrentHashMap<>();

  private HttpLimiter limiter(Rule... rules) {
    return HttpLimiter.builder(store).rules(List.of(rules)).build();
  }

  private @Nullable Limit plan(Request request) {
    String plan = plans.get(String.valueOf(request.principal()));
    return plan == null ? null : Limit.parse(plan);
  }

  private Rule byPlan() {
    return Rule.of("api", this::plan).by(KeySource.principal());
  }

  private static FakeRequest by(String principal) {
    return FakeRequest.get("/").as(principal);
  }

  private static Map<String, String> headers(Answer answer) {
    Map<String, String> headers = new TreeMap<>();
    answer.headers(headers::put);
    return headers;
  }

  private static int status(Answer answer) {
    return answer.refusal().map(Refusal::status).orElse(200);
  }

  @Test
  void each_caller_has_the_limit_of_its_plan() {
    plans.put("ann", "1/minute fixed-window-per-key");
    plans.put("bob", "3/minute fixed-window-per-key");
    HttpLimiter limiter = limiter(byPlan());
    assertThat(headers(limiter.decide(by("ann"))))
        .containsEntry("RateLimit-Policy", "\"api\";q=1;w=60")
        .containsEntry("RateLimit", "\"api\";r=0;t=60");
    assertThat(headers(limiter.decide(by("bob"))))
        .containsEntry("RateLimit-Policy", "\"api\";q=3;w=60")
        .containsEntry("RateLimit", "\"api\";r=2;t=60");
    assertThat(status(limiter.decide(by("ann")))).isEqualTo(429);
    assertThat(status(limiter.decide(by("bob")))).isEqualTo(200);
  }

  @Test
  void a_changed_plan_takes_effect_at_the_next_request_and_keeps_the_count() {
    plans.put("ann", "2/minute fixed-window-per-key");
    HttpLimiter limiter = limiter(byPlan());
    limiter.decide(by("ann"));
    limiter.decide(by("ann"));
    assertThat(status(limiter.decide(by("ann")))).isEqualTo(429);
    plans.put("ann", "5/minute fixed-window-per-key");
    assertThat(headers(limiter.decide(by("ann")))).containsEntry("RateLimit", "\"api\";r=2;t=60");
    plans.put("ann", "2/minute fixed-window-per-key");
    assertThat(status(limiter.decide(by("ann")))).isEqualTo(429);
  }

  @Test
  void several_limits_are_decided_together() {
    HttpLimiter limiter =
        limiter(Rule.ofAll("api", request -> Limit.parseAll("2/minute; 10/day fixed-window")));
    assertThat(headers(limiter.decide(FakeRequest.get("/"))))
        .containsEntry("RateLimit-Policy", "\"api.minute\";q=2;w=60, \"api.day\";q=10;w=86400");
  }

  @Test
  void without_limits_the_fallback_applies() {
    HttpLimiter limiter = limiter(byPlan().fallback("1/minute fixed-window-per-key"));
    assertThat(status(limiter.decide(by("ann")))).isEqualTo(200);
    assertThat(status(limiter.decide(by("ann")))).isEqualTo(429);
    plans.put("ann", "3/minute fixed-window-per-key");
    assertThat(headers(limiter.decide(by("ann")))).containsEntry("RateLimit", "\"api\";r=1;t=60");
  }

  @Test
  void without_limits_and_a_fallback_the_request_is_refused_and_others_are_not() {
    plans.put("bob", "3/minute");
    HttpLimiter limiter = limiter(byPlan());
    Answer refused = limiter.decide(by("ann"));
    assertThat(status(refused)).isEqualTo(503);
    assertThat(refused.refusal().orElseThrow().reason()).isEqualTo(Refusal.Reason.LIMIT_UNKNOWN);
    assertThat(headers(refused)).containsExactly(Map.entry("Retry-After", "1"));
    assertThat(status(limiter.decide(by("bob")))).isEqualTo(200);
  }

  @Test
  void a_function_that_throws_or_gives_nonsense_is_as_one_that_finds_nothing() throws Exception {
    List<Rule> failing =
        List.of(
            Rule.of("api", request -> Limit.parse("nonsense")),
            Rule.ofAll("api", request -> List.of()),
            Rule.ofAll("api", request -> null),
            Rule.ofAll("api", request -> Limit.parseAll("5/minute; 6/minute")),
            Rule.ofAsync("api", request -> null),
            Rule.ofAsync("api", request -> CompletableFuture.completedFuture(null)),
            Rule.ofAsync("api", request -> CompletableFuture.failedFuture(new Exception("x"))));
    for (Rule rule : failing) {
      Answer answer = limiter(rule).decide(FakeRequest.get("/"));
      assertThat(answer.refusal().orElseThrow().reason()).isEqualTo(Refusal.Reason.LIMIT_UNKNOWN);
      assertThat(
              status(limiter(rule).decideAsync(FakeRequest.get("/")).toCompletableFuture().get()))
          .isEqualTo(503);
      assertThat(status(limiter(rule.fallback("9/minute")).decide(FakeRequest.get("/"))))
          .isEqualTo(200);
      assertThat(status(limiter(rule.shadow()).decide(FakeRequest.get("/")))).isEqualTo(200);
    }
  }

  @Test
  void what_has_no_limits_charges_no_other_rule() {
    HttpLimiter limiter =
        limiter(Rule.of("address", "5/minute fixed-window-per-key"), byPlan().unless(r -> false));
    limiter.decide(by("ann"));
    assertThat(limiter.peek("address", "203.0.113.9").remaining()).isEqualTo(5);
  }

  @Test
  void limits_that_come_later_go_on_in_the_executor_and_block_no_thread() throws Exception {
    CompletableFuture<List<Limit>> later = new CompletableFuture<>();
    Queue<Runnable> executor = new ArrayDeque<>();
    HttpLimiter limiter = limiter(Rule.ofAsync("api", request -> later));
    CompletableFuture<Answer> answer =
        limiter.decideAsync(FakeRequest.get("/"), null, executor::add).toCompletableFuture();
    assertThat(answer).isNotDone();
    later.complete(Limit.parseAll("7/minute fixed-window-per-key"));
    assertThat(answer).as("the thread that brought the limits").isNotDone();
    executor.remove().run();
    assertThat(headers(answer.get())).containsEntry("RateLimit", "\"api\";r=6;t=60");
    assertThat(executor).isEmpty();
  }

  @Test
  void limits_that_are_there_go_on_at_once() throws Exception {
    HttpLimiter limiter =
        limiter(
            Rule.ofAsync(
                "api", request -> CompletableFuture.completedFuture(Limit.parseAll("7/minute"))));
    CompletableFuture<Answer> answer =
        limiter
            .decideAsync(
                FakeRequest.get("/"),
                null,
                work -> {
                  throw new AssertionError("no other thread is needed");
                })
            .toCompletableFuture();
    assertThat(status(answer.get())).isEqualTo(200);
  }

  @Test
  void a_function_knows_the_key_that_the_rule_has_found() {
    Rule rule =
        Rule.of("api", request -> Limit.parse(request.key() + "/minute fixed-window-per-key"))
            .by(KeySource.header("X-Key"));
    assertThat(headers(limiter(rule).decide(FakeRequest.get("/").header("X-Key", "12"))))
        .containsEntry("RateLimit", "\"api\";r=11;t=60");
  }

  @Test
  void limits_are_looked_up_only_if_the_rule_applies_and_the_request_costs_something() {
    AtomicInteger calls = new AtomicInteger();
    Rule rule =
        Rule.of(
            "api",
            request -> {
              calls.incrementAndGet();
              return Limit.parse("1/minute");
            });
    limiter(rule.on("/other")).decide(FakeRequest.get("/"));
    limiter(rule.when(request -> false)).decide(FakeRequest.get("/"));
    limiter(rule.cost(request -> 0)).decide(FakeRequest.get("/"));
    assertThat(calls).hasValue(0);
  }

  @Test
  void charges_that_are_given_back_are_those_of_the_limits_found() {
    plans.put("ann", "1/minute fixed-window-per-key");
    HttpLimiter limiter = limiter(byPlan().onlyIf(status -> status == 401));
    Answer passed = limiter.decide(by("ann"));
    passed.finished(200);
    assertThat(status(limiter.decide(by("ann")))).isEqualTo(200);
    assertThat(status(limiter.decide(by("ann")))).isEqualTo(429);
  }

  @Test
  void peeks_and_resets_name_the_limits_they_mean() {
    plans.put("ann", "2/minute fixed-window-per-key");
    HttpLimiter limiter = limiter(byPlan());
    limiter.decide(by("ann"));
    List<Limit> limits = Limit.parseAll("2/minute fixed-window-per-key");
    assertThat(limiter.peek("api", "ann", limits).remaining()).isEqualTo(1);
    limiter.reset("api", "ann", Limit.parseAll("9/minute fixed-window-per-key"));
    assertThat(limiter.peek("api", "ann", limits).remaining()).isEqualTo(2);
    assertThatThrownBy(() -> limiter.peek("api", "ann"))
        .hasMessage(
            "the limits of rule api depend on the request: give those that are meant, such as"
                + " 100/minute");
  }

  @Test
  void rules_say_when_they_can_be_asked() {
    Rule rule = byPlan().by(KeySource.clientAddress());
    HttpLimiter.Builder builder =
        HttpLimiter.builder(store).rule(rule.afterAuthentication()).rule(Rule.of("x", "1/minute"));
    assertThat(builder.buildBeforeAuthentication().rules())
        .extracting(Rule::name)
        .containsExactly("x");
    assertThat(builder.buildAfterAuthentication().rules())
        .extracting(Rule::name)
        .containsExactly("api");
  }

  @Test
  void what_makes_no_sense_is_refused() {
    assertThatThrownBy(() -> limiter(byPlan(), Rule.of("api", "1/minute")))
        .hasMessage("a rule whose limits depend on the request must have a name of its own: api");
    assertThatThrownBy(() -> Rule.of("api", "1/minute").fallback("2/minute"))
        .hasMessage("a fallback is for limits that depend on the request: rule api");
    assertThatThrownBy(() -> CallLimiter.builder(store).rule(byPlan()).build())
        .hasMessage("the limits of a rule for calls must not depend on a request: rule api");
  }

  @Test
  void a_rule_tells_of_its_limits_in_words() {
    assertThat(byPlan().limitWords()).containsExactly("by request");
    assertThat(byPlan().limitsDescribedAs("the plan's").limitWords()).containsExactly("the plan's");
    assertThat(byPlan().fallback("1/min").limits()).containsExactly(Limit.parse("1/min"));
    assertThat(Rule.of("api", "1/min; 2/day").limitWords()).containsExactly("1/minute", "2/day");
  }

  @Test
  void flooding_a_limit_that_depends_on_the_request_starves_no_fixed_one() {
    Store small = MemoryStore.builder().time(time).maxKeys(8).build();
    HttpLimiter limiter =
        HttpLimiter.builder(small)
            .rule(
                Rule.of("plans", request -> Limit.parse("1/hour fixed-window-per-key"))
                    .on("/plans")
                    .by(KeySource.principal()))
            .rule(Rule.of("fixed", "1/hour fixed-window-per-key").on("/fixed"))
            .build();
    for (int i = 0; i < 20_000; i++) {
      limiter.decide(FakeRequest.get("/plans").as("user" + i));
    }
    assertThat(status(limiter.decide(FakeRequest.get("/fixed")))).isEqualTo(200);
  }

  @Test
  void conditions_say_whom_a_rule_is_for() {
    Rule rule = Rule.of("api", "1/hour").when(r -> r.header("X-Free") != null);
    HttpLimiter limiter = limiter(rule.unless(r -> r.method().equals("HEAD")));
    FakeRequest free = FakeRequest.get("/").header("X-Free", "yes");
    assertThat(status(limiter.decide(free))).isEqualTo(200);
    assertThat(status(limiter.decide(free))).isEqualTo(429);
    assertThat(status(limiter.decide(FakeRequest.get("/")))).isEqualTo(200);
    assertThat(status(limiter.decide(new FakeRequest("HEAD", "/").header("X-Free", "yes"))))
        .isEqualTo(200);
  }

  @Test
  void a_condition_that_fails_lets_no_request_escape() {
    HttpLimiter limiter =
        limiter(
            Rule.of("when", "1/hour").when(r -> r.header("X").isEmpty()).on("/when"),
            Rule.of("unless", "1/hour").unless(r -> r.header("X").isEmpty()).on("/unless"));
    for (String path : List.of("/when", "/unless")) {
      assertThat(status(limiter.decide(FakeRequest.get(path)))).isEqualTo(200);
      assertThat(status(limiter.decide(FakeRequest.get(path)))).isEqualTo(429);
    }
  }

  @Test
  void a_rule_that_does_not_apply_asks_for_no_key() {
    HttpLimiter limiter =
        limiter(
            Rule.of("api", "1/hour")
                .by(KeySource.header("X-Key"))
                .missingKey(MissingKey.DENY)
                .when(r -> false));
    assertThat(status(limiter.decide(FakeRequest.get("/")))).isEqualTo(200);
  }

  @Test
  void what_a_condition_reads_does_not_make_a_key_ambiguous() {
    HttpLimiter limiter =
        limiter(
            Rule.of("api", "1/hour")
                .by(KeySource.header("X-Key"))
                .missingKey(MissingKey.SKIP)
                .when(r -> r.header("X-Twice") == null));
    FakeRequest request = FakeRequest.get("/").header("X-Twice", "1").header("X-Twice", "2");
    assertThat(status(limiter.decide(request))).isEqualTo(200);
    assertThat(status(limiter.decide(request))).isEqualTo(200);
  }
}
