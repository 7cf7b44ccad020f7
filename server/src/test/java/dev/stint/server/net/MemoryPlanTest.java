package dev.stint.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.server.config.Bounds;
import dev.stint.server.config.Listeners;
import dev.stint.server.config.StoreSettings;
import org.junit.jupiter.api.Test;

class MemoryPlanTest {

  private static final long MIB = 1 << 20;

  private static StoreSettings keys(long keys) {
    StoreSettings usual = StoreSettings.memory();
    return new StoreSettings(
        usual.url(), keys, keys / 10, usual.prefix(), usual.deadline(), usual.instances());
  }

  @Test
  void the_default_configuration_fits_into_192_megabytes() {
    MemoryPlan plan = MemoryPlan.of(StoreSettings.memory(), 192 * MIB, 64 * MIB);

    assertThat(MemoryPlan.trouble(StoreSettings.memory(), 192 * MIB)).isEmpty();
    assertThat(plan.heap()).isBetween(46 * MIB, 52 * MIB);
    assertThat(plan.direct()).isEqualTo(32 * MIB);
    assertThat(plan.connections(Listeners.standard().http(), Bounds.standard()))
        .isBetween(6_000, 7_000);
  }

  @Test
  void more_heap_is_more_for_clients() {
    long small = MemoryPlan.of(StoreSettings.memory(), 192 * MIB, 64 * MIB).heap();

    assertThat(MemoryPlan.of(StoreSettings.memory(), 1024 * MIB, 64 * MIB).heap())
        .isGreaterThan(6 * small);
  }

  @Test
  void fewer_connections_are_allowed_where_more_do_not_fit() {
    Bounds usual = Bounds.standard();
    Bounds many =
        new Bounds(
            usual.body(),
            usual.headers(),
            usual.key(),
            usual.batch(),
            usual.descriptors(),
            1_000_000,
            usual.idle(),
            usual.drain());
    MemoryPlan plan = MemoryPlan.of(StoreSettings.memory(), 192 * MIB, 64 * MIB);
    int fit = plan.connections(Listeners.standard().http(), many);

    assertThat(fit).isBetween(6_000, 7_000);
    assertThat(plan.lowered(Listeners.standard(), many).orElseThrow())
        .startsWith(
            "bounds.connections is lowered from 1000000 to "
                + fit
                + " on http, "
                + fit
                + " on grpc, ")
        .endsWith(
            " MB that clients may use of a heap of 192 MB; give Java more heap for more"
                + " connections");
  }

  @Test
  void more_keys_than_fit_are_refused_with_the_number_that_would() {
    String sentence = MemoryPlan.trouble(keys(10_000_000), 192 * MIB).orElseThrow();

    assertThat(sentence)
        .startsWith("store.max-keys must fit into the heap of 192 MB, where at most ")
        .endsWith(
            " do, was 10000000; lower it, or give Java more heap with"
                + " JDK_JAVA_OPTIONS=-Xmx...");
    long fit = Long.parseLong(sentence.replaceAll(".*at most (\\d+) do.*", "$1"));
    assertThat(MemoryPlan.trouble(keys(fit), 192 * MIB)).isEmpty();
    assertThat(MemoryPlan.trouble(keys(fit + 50_000), 192 * MIB)).isPresent();
  }
}
