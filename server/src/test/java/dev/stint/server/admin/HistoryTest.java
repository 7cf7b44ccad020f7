package dev.stint.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.algorithm.Operation;
import dev.stint.server.config.Configuration;
import dev.stint.server.config.PolicySettings;
import dev.stint.server.config.Telemetry;
import dev.stint.server.engine.Engine;
import dev.stint.server.engine.Policy;
import dev.stint.server.engine.Stores;
import dev.stint.testkit.ManualTime;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HistoryTest {

  private final ManualTime time = ManualTime.create();
  private final Metrics metrics = new Metrics(Telemetry.standard());
  private final Engine engine =
      new Engine(
          Configuration.standard().withPolicies(Map.of("api", Watched.policy("10/hour"))),
          Stores.inMemory(time),
          metrics);
  private final Snapshots snapshots = new Snapshots(engine, metrics, false, () -> 8080);

  @AfterEach
  void close() {
    engine.close();
  }

  private void hit(int times) {
    Policy api = Objects.requireNonNull(engine.policies().find("api"));
    for (int i = 0; i < times; i++) {
      engine.ask(Operation.HIT, api, new byte[] {1}, 1);
    }
  }

  private void pass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      time.advance(Duration.ofSeconds(1));
      snapshots.tick();
    }
  }

  private List<Object> admitted() {
    snapshots.tick();
    snapshots.snapshot();
    return column("admitted");
  }

  @SuppressWarnings("unchecked")
  private List<Object> column(String name) {
    Map<String, @Nullable Object> past = Viewer.object(snapshots.opening().history());
    return (List<Object>) Objects.requireNonNull(Viewer.at(past, "policies", 0, name));
  }

  private @Nullable Object told(Object... path) {
    snapshots.tick();
    return Viewer.at(Viewer.object(snapshots.snapshot()), path);
  }

  @Test
  void a_hit_is_in_the_column_of_its_five_seconds_and_moves_to_the_left() {
    hit(3);
    assertThat(admitted().get(179)).isEqualTo(3L);
    pass(5);
    hit(1);
    assertThat(admitted().subList(178, 180)).containsExactly(3L, 1L);
    pass(10);
    assertThat(admitted().subList(176, 180)).containsExactly(3L, 1L, 0L, 0L);
  }

  @Test
  void after_a_quarter_of_an_hour_it_is_forgotten() {
    hit(3);
    snapshots.tick();
    time.advance(Duration.ofMinutes(15).minusSeconds(5));
    assertThat(admitted().get(0)).isEqualTo(3L);
    time.advance(Duration.ofSeconds(5));
    assertThat(admitted()).containsOnly(0L);
  }

  @Test
  void nothing_is_lost_or_counted_twice() {
    for (int i = 0; i < 30; i++) {
      hit(1);
      pass(3);
    }
    long sum = admitted().stream().mapToLong(Long.class::cast).sum();
    long refused = column("refused").stream().mapToLong(Long.class::cast).sum();
    assertThat(sum).isEqualTo(told("totals", "admitted"));
    assertThat(sum + refused).isEqualTo(30);
  }

  @Test
  void a_rate_is_the_mean_of_the_last_five_seconds() {
    snapshots.tick();
    pass(3);
    hit(10);
    time.advance(Duration.ofSeconds(1));
    assertThat(told("perSecond", "admitted")).isEqualTo(2.5); // four seconds are known
    pass(4);
    time.advance(Duration.ofSeconds(1));
    assertThat(told("perSecond", "admitted")).isEqualTo(0.0);
  }

  @Test
  void use_is_of_the_last_ten_seconds_and_unknown_when_nobody_asked() {
    hit(5);
    assertThat(told("policies", 0, "use")).isEqualTo(0.3);
    assertThat(told("policies", 0, "nearLimit")).isEqualTo(0.0);
    pass(11);
    assertThat(told("policies", 0, "use")).isNull();
    assertThat(told("policies", 0, "nearLimit")).isNull();
    assertThat(told("p99Micros")).isNull();
  }

  private void reload(String... names) {
    Map<String, PolicySettings> policies = new LinkedHashMap<>();
    for (String name : names) {
      policies.put(name, Watched.policy("10/hour"));
    }
    engine.reload(Configuration.standard().withPolicies(policies));
    snapshots.tick();
  }

  @Test
  void names_that_reloads_took_away_leave_their_timelines_to_others() {
    for (int i = 0; i < 400; i++) {
      reload("old" + i);
    }
    reload("api");
    hit(3);
    assertThat(admitted().get(179)).isEqualTo(3L);
  }

  @Test
  void what_was_counted_before_a_timeline_is_not_in_its_first_column() {
    hit(3);
    snapshots.tick();
    for (int i = 0; i < 400; i++) {
      reload("old" + i);
    }
    pass(10);
    reload("api");
    hit(1);
    assertThat(admitted().get(179)).isEqualTo(1L);
    assertThat(told("policies", 0, "admitted")).isEqualTo(4L);
  }
}
