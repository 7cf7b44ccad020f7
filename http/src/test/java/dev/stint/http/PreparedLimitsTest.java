package dev.stint.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Decision;
import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.Store;
import dev.stint.TimeSource;
import dev.stint.algorithm.Operation;
import dev.stint.http.jdk.PacedClient;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which limits a store is told of before it is asked about them. */
class PreparedLimitsTest {

  private final Preparing store = new Preparing();

  /** Remembers which limits were prepared. */
  private static final class Preparing implements Store {

    final List<Limit> prepared = new ArrayList<>();

    @Override
    public void prepare(Collection<Limit> limits) {
      prepared.addAll(limits);
    }

    @Override
    public Decision run(Operation operation, List<KeyedLimit> limits) {
      return Store.admitting().run(operation, limits);
    }

    @Override
    public long clean() {
      return 0;
    }

    @Override
    public TimeSource time() {
      return TimeSource.system();
    }

    @Override
    public void close() {}
  }

  @Test
  void the_limits_of_rules_are_prepared_as_they_are_counted() {
    Preparing other = new Preparing();
    HttpLimiter limiter =
        HttpLimiter.builder(store)
            .rule(Rule.of("api", "5/minute; 100/day"))
            .rule(Rule.of("login", "3/minute").in(other))
            .build();
    assertThat(store.prepared)
        .containsExactly(Limit.parse("5/minute").named("api"), Limit.parse("100/day").named("api"));
    assertThat(other.prepared).containsExactly(Limit.parse("3/minute").named("login"));

    limiter.decide(FakeRequest.get("/"));
    assertThat(store.prepared).hasSize(2);
  }

  @Test
  void answers_alone_prepare_nothing() {
    RuleAnswers answers =
        RuleAnswers.of(Rule.of("request", "5/minute"), "_request", HeaderFormat.IETF, store);
    assertThat(answers.limits()).containsExactly(Limit.parse("5/minute").named("_request"));
    assertThat(store.prepared).isEmpty();
  }

  @Test
  void a_paced_client_prepares_its_limits() {
    Limit limit = Limit.parse("10/second");
    PacedClient.builder(HttpClient.newHttpClient(), limit).store(store).build();
    assertThat(store.prepared).containsExactly(limit);
  }
}
