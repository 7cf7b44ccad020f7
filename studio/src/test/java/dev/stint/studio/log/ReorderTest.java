package dev.stint.studio.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ReorderTest {

  private static final long SECOND = 1_000_000;

  private record Sent(long micros, int key) {}

  private final List<Sent> left = new ArrayList<>();
  private final Batch batch = new Batch();

  private void drain(Reorder order, boolean all) {
    while (all ? !order.isEmpty() : order.isDue()) {
      order.leave(batch);
      left.add(new Sent(batch.micros[0], batch.keys[0]));
      batch.clear();
    }
  }

  @Test
  void what_is_out_of_order_by_less_than_the_span_leaves_in_order_and_equals_as_they_came() {
    Reorder order = new Reorder(10 * SECOND);
    SplittableRandom random = new SplittableRandom(5);
    List<Sent> sent = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      Sent one = new Sent(i * SECOND / 50 + random.nextInt(10) * SECOND, i);
      sent.add(one);
      assertThat(order.add(one.micros(), one.key(), 1)).isTrue();
      drain(order, false);
    }
    drain(order, true);
    sent.sort(Comparator.comparingLong(Sent::micros).thenComparingInt(Sent::key));
    assertThat(left).isEqualTo(sent);
  }

  @Test
  void what_is_later_than_the_span_is_refused() {
    Reorder order = new Reorder(10 * SECOND);
    assertThat(order.add(100 * SECOND, 0, 1)).isTrue();
    assertThat(order.add(90 * SECOND, 1, 1)).isTrue();
    assertThat(order.add(90 * SECOND - 1, 2, 1)).isFalse();
  }

  @Test
  void no_more_are_held_than_there_is_room_for() {
    Reorder order = new Reorder(10 * SECOND);
    for (int i = 0; i < 3 * Reorder.MOST; i++) {
      assertThat(order.add(i / 1000, i, 1)).isTrue();
      drain(order, false);
    }
    drain(order, true);
    assertThat(left).hasSize(3 * Reorder.MOST);
  }

  @Test
  void late_lines_are_counted_and_left_out() throws Unreadable {
    String line = "192.0.2.%d - - [02/Jan/2026:03:04:%02d +0000] \"GET / HTTP/1.1\" 200 1\n";
    Reading reading =
        Reading.of(
            line.formatted(1, 30)
                + line.formatted(2, 25)
                + line.formatted(3, 19)
                + line.formatted(4, 31));
    assertThat(reading.requests())
        .containsExactly(
            "2026-01-02T03:04:25Z 192.0.2.2",
            "2026-01-02T03:04:30Z 192.0.2.1",
            "2026-01-02T03:04:31Z 192.0.2.4");
    assertThat(reading.source().late()).isEqualTo(1);
  }

  @Test
  void who_has_only_late_lines_is_no_client() throws Unreadable {
    String line = "192.0.2.%d - - [02/Jan/2026:03:04:%02d +0000] \"GET / HTTP/1.1\" 200 1\n";
    String log = line.formatted(1, 30) + line.formatted(2, 19) + line.formatted(3, 31);
    assertThat(Reading.of(log, "--anonymize").requests())
        .containsExactly("2026-01-02T03:04:30Z client-1", "2026-01-02T03:04:31Z client-2");
  }
}
