package dev.stint.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** Turns of connections on one event loop, in virtual time. */
class FairTurnsTest {

  private static final long MICRO = 1_000;
  private static final long MILLI = 1_000 * MICRO;

  private final List<String> ran = new ArrayList<>();
  private final List<Throwable> failures = new ArrayList<>();
  private final Queue<Runnable> afterSockets = new ArrayDeque<>();
  private long now;
  private final FairTurns turns = new FairTurns(() -> now, afterSockets::add, failures::add);

  private Runnable work(String name, long nanos) {
    return () -> {
      now += nanos;
      ran.add(name);
    };
  }

  /** What the event loop does after it has read its sockets; how long that took. */
  private long round() {
    long begin = now;
    ran.clear();
    afterSockets.remove().run();
    return now - begin;
  }

  @Test
  void a_request_runs_at_once() {
    turns.run("a", work("1", 50 * MICRO));
    assertThat(ran).containsExactly("1");
    assertThat(afterSockets).isEmpty();
  }

  @Test
  void a_burst_holds_the_event_loop_for_a_millisecond_and_then_in_rounds_of_one() {
    for (int i = 0; i < 100; i++) {
      turns.run("a", work("burst", 50 * MICRO));
    }
    assertThat(now).isLessThanOrEqualTo(MILLI + 50 * MICRO);
    int total = ran.size();
    while (!afterSockets.isEmpty()) {
      assertThat(round()).isLessThanOrEqualTo(MILLI + 50 * MICRO);
      total += ran.size();
    }
    assertThat(total).isEqualTo(100);
  }

  @Test
  void requests_of_others_run_at_once_while_a_burst_waits() {
    for (int i = 0; i < 100; i++) {
      turns.run("a", work("burst", 50 * MICRO));
    }
    ran.clear();
    turns.run("b", work("other", 50 * MICRO));
    assertThat(ran).containsExactly("other");
  }

  @Test
  void requests_of_one_connection_keep_their_order() {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      int number = i;
      turns.run(
          "a",
          () -> {
            now += 100 * MICRO;
            order.add(number);
          });
    }
    while (!afterSockets.isEmpty()) {
      round();
    }
    assertThat(order).hasSize(100).isSorted();
  }

  @Test
  void waiting_connections_take_turns_by_time_and_not_by_requests() {
    for (int i = 0; i < 100; i++) {
      turns.later("many small", work("small", 10 * MICRO));
      turns.later("few large", work("large", 250 * MICRO));
    }
    round();
    long small = ran.stream().filter("small"::equals).count() * 10;
    long large = ran.stream().filter("large"::equals).count() * 250;
    assertThat(small).isEqualTo(large).isEqualTo(500);
  }

  @Test
  void a_connection_that_was_read_again_after_a_pause_has_a_new_slice() {
    for (int i = 0; i < 30; i++) {
      turns.run("a", work("1", 50 * MICRO));
      now += MILLI; // something else
    }
    assertThat(ran).hasSize(30);
  }

  @Test
  void work_that_fails_is_reported_and_stops_no_other() {
    IllegalStateException failure = new IllegalStateException();
    turns.later(
        "a",
        () -> {
          throw failure;
        });
    turns.later("a", work("same", 1));
    turns.later("b", work("other", 1));
    round();
    assertThat(failures).containsExactly(failure);
    assertThat(ran).containsExactly("same", "other");
    assertThat(turns.waiting()).isZero();
  }
}
