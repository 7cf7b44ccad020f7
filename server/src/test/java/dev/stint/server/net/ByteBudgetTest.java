package dev.stint.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ByteBudgetTest {

  private static final long LEAST = 1 << 10;
  private static final long GRACE = ByteBudget.GRACE_MILLIS;

  private final List<String> closed = new ArrayList<>();
  private static final Duration IDLE = Duration.ofSeconds(60);

  private final Connections listener = new Connections(1, 1000, IDLE, 8192);
  private long now;
  private ByteBudget budget = budget(1 << 20);

  private ByteBudget budget(long heap) {
    return new ByteBudget(heap, 1 << 20, 0, () -> now, () -> {});
  }

  private ConnectionBudget accept(String name, Object peer) {
    return Objects.requireNonNull(maybe(listener, name, peer), name);
  }

  /** A connection that is gone as soon as it is told to close. */
  private ConnectionBudget maybe(Connections on, String name, Object peer) {
    ConnectionBudget[] made = new ConnectionBudget[1];
    made[0] =
        budget.accept(
            on,
            LEAST,
            peer,
            () -> {
              if (made[0].mustLeave()) {
                closed.add(name);
                made[0].close();
              }
            });
    return made[0];
  }

  private static void progress(ConnectionBudget connection) {
    connection.answered();
    connection.taken();
  }

  @Test
  void what_is_held_counts_for_all_and_is_given_back_when_the_connection_is_gone() {
    ConnectionBudget one = accept("one", "a");
    ConnectionBudget other = accept("other", "b");
    assertThat(one.hold(50_000)).isTrue();
    assertThat(other.hold(30_000)).isTrue();

    assertThat(budget.heapUsed()).isBetween(80_000L + 2 * LEAST, 100_000L + 2 * LEAST);

    one.close();
    other.release(30_000);
    assertThat(budget.heapUsed()).isLessThan(48_000L);
    other.close();
    other.close();
    assertThat(budget.heapUsed()).isZero();
    assertThat(listener.open()).isZero();
  }

  @Test
  void small_requests_do_not_touch_what_all_share() {
    ConnectionBudget one = accept("one", "a");
    assertThat(one.hold(1)).isTrue();
    long before = budget.heapUsed();

    for (int i = 0; i < 100; i++) {
      assertThat(one.hold(4 << 10)).isTrue();
      assertThat(budget.heapUsed()).isEqualTo(before);
      one.release(4 << 10);
    }
  }

  @Test
  void one_connection_has_a_share_and_no_more() {
    ConnectionBudget one = accept("one", "a");

    assertThat(one.hold(budget.share() - LEAST)).isTrue();
    assertThat(one.hold(1)).isFalse();
    assertThat(closed).isEmpty();
  }

  @Test
  void the_connection_that_is_longest_without_progress_goes_first() {
    List<ConnectionBudget> all = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      ConnectionBudget one = accept("c" + i, "peer");
      progress(one);
      assertThat(one.hold(120 << 10)).isTrue();
      all.add(one);
      now += 100;
    }
    progress(all.get(0));
    now += GRACE;

    assertThat(accept("new", "peer").hold(100 << 10)).isTrue();
    assertThat(closed).startsWith("c1").doesNotContain("c0", "c7", "new");
  }

  @Test
  void many_small_holders_of_one_address_go_before_a_large_one_of_another() {
    ConnectionBudget proxy = accept("proxy", "envoy");
    assertThat(proxy.hold(100 << 10)).isTrue();
    now += 10_000; // the proxy is idle for longer than the others
    for (int i = 0; i < 48; i++) {
      assertThat(accept("small" + i, "stranger").hold(9 << 10)).isTrue();
    }
    now += 10_000;

    assertThat(accept("late", "friend").hold(100 << 10)).isTrue();
    assertThat(closed).isNotEmpty().allMatch(name -> name.startsWith("small"));
  }

  @Test
  void a_connection_that_makes_progress_is_not_closed_but_more_is_refused() {
    List<ConnectionBudget> busy = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      ConnectionBudget one = accept("busy" + i, "peer");
      assertThat(one.hold(100 << 10)).isTrue();
      busy.add(one);
    }
    now += 60_000;
    busy.forEach(ByteBudgetTest::progress);
    now += GRACE - 1;

    ConnectionBudget more = accept("more", "peer");
    boolean held = true;
    for (int i = 0; held && i < 8; i++) {
      held = maybe(listener, "m" + i, "peer") != null && more.hold(1 << 10) && hold(i);
    }
    assertThat(held).isFalse();
    assertThat(closed).isEmpty();
  }

  @Test
  void ordinary_clients_have_room_when_connections_that_hold_much_leave_none() {
    for (int i = 0; i < 8; i++) {
      ConnectionBudget busy = accept("busy" + i, "peer");
      assertThat(busy.hold(120 << 10)).isTrue();
      progress(busy);
    }
    ConnectionBudget greedy = accept("greedy", "peer");
    assertThat(greedy.hold(100 << 10)).isFalse();

    for (int i = 0; i < 5; i++) {
      ConnectionBudget ordinary = accept("ordinary" + i, "peer");
      assertThat(ordinary.hold(30 << 10)).isTrue();
    }
    assertThat(closed).isEmpty();
  }

  @Test
  void a_connection_that_makes_progress_before_its_loop_closes_it_stays() {
    ConnectionBudget slow =
        Objects.requireNonNull(budget.accept(listener, LEAST, "p", () -> closed.add("slow")));
    assertThat(slow.hold(120 << 10)).isTrue();
    now += 60_000;
    for (int i = 0; i < 8; i++) {
      assertThat(accept("c" + i, "q" + i).hold(108 << 10)).isTrue();
    }
    assertThat(closed).containsExactly("slow");
    assertThat(slow.isLeaving()).isTrue();

    progress(slow); // its answer was ready all the time, the loop was late
    assertThat(slow.mustLeave()).isFalse();

    assertThat(slow.isLeaving()).isFalse();
    assertThat(listener.counters().rejections(RejectionCause.MEMORY)).isZero();
    now += 60_000;
    ConnectionBudget last = accept("last", "r");
    now += ByteBudget.UNPROVEN_PAUSE_MILLIS;
    assertThat(last.hold(115 << 10)).isTrue();
    assertThat(closed).hasSizeGreaterThan(1); // what it holds is reclaimed again
  }

  @Test
  void connections_that_hold_little_are_closed_after_those_that_hold_much() {
    ConnectionBudget little = accept("little", "peer");
    assertThat(little.hold(1 << 10)).isTrue();
    now += 60_000;
    for (int i = 0; i < 8; i++) {
      assertThat(accept("much" + i, "peer").hold(115 << 10)).isTrue();
    }
    now += GRACE;

    assertThat(accept("last", "peer").hold(120 << 10)).isTrue();
    assertThat(closed).isNotEmpty().doesNotContain("little");
  }

  @Test
  void an_idle_client_outlives_those_that_hold_much_without_progress() {
    ConnectionBudget idle = accept("idle", "peer");
    progress(idle);
    now += 1_000;
    for (int i = 0; i < 8; i++) {
      assertThat(accept("much" + i, "peer").hold(115 << 10)).isTrue();
    }
    now += GRACE;

    assertThat(accept("last", "peer").hold(120 << 10)).isTrue();
    assertThat(closed).isNotEmpty().doesNotContain("idle");
  }

  private boolean hold(int i) {
    return accept("big" + i, "peer").hold(100 << 10);
  }

  @Test
  void an_old_request_that_is_not_answered_makes_a_busy_connection_stalled() {
    ConnectionBudget tricky = accept("tricky", "peer");
    ConnectionBudget.Request stuck = Objects.requireNonNull(tricky.begin(60 << 10));
    ConnectionBudget honest = accept("honest", "peer");
    for (int i = 0; i < 100; i++) {
      now += 100;
      Objects.requireNonNull(tricky.begin(100)).close(true);
      Objects.requireNonNull(honest.begin(100)).close(true);
    }
    for (int i = 0; i < 7; i++) {
      assertThat(accept("filler" + i, "peer" + i).hold(125 << 10)).isTrue();
    }
    progress(honest);

    assertThat(accept("last", "last").hold(100 << 10)).isTrue();
    assertThat(closed).containsExactly("tricky");
    stuck.close(true); // late, and harmless
  }

  @Test
  void a_subscription_is_not_a_request_that_waits() {
    ConnectionBudget watcher = accept("watcher", "peer");
    Objects.requireNonNull(watcher.begin(100)).settle();
    now += 5_000;
    progress(watcher);

    assertThat(watcher.stalledFor(now + 10L * ByteBudget.WEIGHT)).isEqualTo(10);
  }

  @Test
  void a_crowd_that_was_never_answered_does_not_replace_its_own_as_fast_as_it_comes() {
    for (int i = 0; i < 8; i++) {
      assertThat(accept("much" + i, "crowd").hold(115 << 10)).isTrue();
    }
    now += GRACE;
    assertThat(accept("first", "crowd").hold(115 << 10)).isTrue();
    int given = closed.size();
    while (budget.heapUsed() + (120 << 10) < budget.heapTotal()) {
      assertThat(accept("filler", "crowd").hold(110 << 10)).isTrue();
    }
    ConnectionBudget client = accept("client", "client");
    progress(client);
    now += 50; // a scan would be allowed

    assertThat(accept("second", "crowd").hold(115 << 10)).isFalse();
    assertThat(closed).hasSize(given);
    assertThat(client.hold(115 << 10)).isTrue();
    assertThat(closed).hasSizeGreaterThan(given);
  }

  @Test
  void at_the_bound_of_connections_silent_ones_make_room() {
    Connections few = new Connections(2, 10, IDLE, 8192);
    for (int i = 0; i < 10; i++) {
      assertThat(maybe(few, "silent" + i, "peer")).isNotNull();
      now += 1;
    }
    assertThat(maybe(few, "too early", "peer")).isNull();
    now += GRACE;

    for (int i = 0; i < 5; i++) {
      assertThat(maybe(few, "new" + i, "peer")).isNotNull();
      now += 20; // scans are rare
    }
    assertThat(closed).startsWith("silent0", "silent1").doesNotContain("new0");
    assertThat(few.open()).isLessThanOrEqualTo(10);
    assertThat(few.counters().rejections(RejectionCause.CONNECTION_LIMIT)).isEqualTo(closed.size());
  }

  @Test
  void an_idle_connection_that_was_answered_before_outlives_silent_ones_that_came_later() {
    Connections few = new Connections(2, 10, IDLE, 8192);
    ConnectionBudget idle = maybe(few, "idle", "peer");
    progress(Objects.requireNonNull(idle));
    now += 3_000;
    for (int i = 0; i < 9; i++) {
      assertThat(maybe(few, "silent" + i, "peer")).isNotNull();
    }
    now += 1_000;

    assertThat(maybe(few, "new", "peer")).isNotNull();
    assertThat(closed).isNotEmpty().doesNotContain("idle");
  }

  @Test
  void what_the_socket_has_not_taken_counts_and_is_reclaimed_where_it_is() {
    ConnectionBudget silent = accept("silent", "peer");
    ConnectionBudget deaf = accept("deaf", "peer");
    now += 60_000;
    deaf.unsent(900 << 10);
    now += GRACE;
    ConnectionBudget other = accept("other", "peer");
    other.unsent(200 << 10);

    assertThat(closed).containsExactly("deaf");
    assertThat(budget.directUsed()).isEqualTo(200 << 10);
    assertThat(silent.isLeaving()).isFalse();
  }

  @Test
  void a_connection_that_is_told_to_close_is_not_counted_on_twice() {
    ConnectionBudget slow =
        Objects.requireNonNull(budget.accept(listener, LEAST, "p", () -> closed.add("slow")));
    assertThat(slow.hold(120 << 10)).isTrue();
    now += GRACE;
    List<ConnectionBudget> all = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      ConnectionBudget one = accept("c" + i, "q" + i);
      assertThat(one.hold(110 << 10)).isTrue();
      all.add(one);
    }

    assertThat(closed).containsExactly("slow");
    assertThat(all).noneMatch(ConnectionBudget::isLeaving);
    assertThat(slow.hold(64 << 10)).isFalse();
  }

  @Test
  void addresses_of_one_ipv6_network_are_one_peer() throws UnknownHostException {
    assertThat(peer("2001:db8::1")).isEqualTo(peer("2001:db8::ffff:1"));
    assertThat(peer("2001:db8::1")).isNotEqualTo(peer("2001:db8:0:1::1"));
    assertThat(peer("192.0.2.1")).isNotEqualTo(peer("192.0.2.2"));
    assertThat(peer("::ffff:192.0.2.1")).isEqualTo(peer("192.0.2.1"));
  }

  private static Object peer(String address) throws UnknownHostException {
    return Peers.of(new InetSocketAddress(InetAddress.getByName(address), 1));
  }
}
