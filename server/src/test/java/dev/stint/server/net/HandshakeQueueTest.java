package dev.stint.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HandshakeQueueTest {

  private final List<Channel> closed = new ArrayList<>();
  private long now;
  private final List<Channel> started = new ArrayList<>();
  private final List<Long> timers = new ArrayList<>();
  private final HandshakeQueue queue =
      new HandshakeQueue(
          () -> now, started::add, closed::add, (address, millis) -> timers.add(millis));

  private Channel enter(Object peer) {
    Channel connection = new EmbeddedChannel();
    queue.enter(peer, connection);
    return connection;
  }

  private boolean hasBegun(Channel connection) {
    return started.contains(connection);
  }

  private List<Channel> fill(Object peer) {
    List<Channel> running = new ArrayList<>();
    for (int i = 0; i < HandshakeQueue.MOST; i++) {
      Channel connection = enter(peer);
      running.add(connection);
      queue.answered(peer, connection);
    }
    assertThat(running).allMatch(this::hasBegun);
    return running;
  }

  @Test
  void a_peer_with_many_handshakes_waits_and_others_do_not() {
    fill("flood");

    assertThat(hasBegun(enter("flood"))).isFalse();
    assertThat(hasBegun(enter("other"))).isTrue();
  }

  @Test
  void only_a_few_first_messages_of_a_peer_are_answered_at_a_time() {
    List<Channel> first = new ArrayList<>();
    for (int i = 0; i < HandshakeQueue.MOST_FRESH; i++) {
      first.add(enter("flood"));
    }
    Channel next = enter("flood");
    Channel last = enter("flood");
    assertThat(first).allMatch(this::hasBegun);
    assertThat(hasBegun(next)).isFalse();
    assertThat(hasBegun(enter("other"))).isTrue();

    queue.answered("flood", first.get(1));
    queue.answered("flood", first.get(1));

    assertThat(hasBegun(next)).isTrue();
    assertThat(hasBegun(last)).isFalse();
  }

  @Test
  void silent_connections_hold_up_the_next_of_their_peer_for_a_moment_only() {
    List<Channel> all = new ArrayList<>();
    for (int i = 0; i <= HandshakeQueue.MOST; i++) {
      all.add(enter("peer"));
    }
    assertThat(timers).containsExactly(HandshakeQueue.FRESH_MILLIS);

    for (int begun = HandshakeQueue.MOST_FRESH;
        begun < HandshakeQueue.MOST;
        begun += HandshakeQueue.MOST_FRESH) {
      assertThat(started).hasSize(begun);
      now += HandshakeQueue.FRESH_MILLIS;
      queue.proceed("peer");
    }

    assertThat(started).containsExactlyElementsOf(all.subList(0, HandshakeQueue.MOST));
    assertThat(closed).isEmpty();
    // From then on, it is until the oldest has taken too long.
    assertThat(timers.get(timers.size() - 1)).isEqualTo(HandshakeQueue.LONGEST_MILLIS - now);
  }

  @Test
  void a_handshake_that_ends_begins_the_next() {
    List<Channel> running = fill("peer");
    Channel first = enter("peer");
    Channel second = enter("peer");

    queue.leave("peer", running.get(3));
    queue.leave("peer", running.get(3));

    assertThat(hasBegun(first)).isTrue();
    assertThat(hasBegun(second)).isFalse();
  }

  @Test
  void one_that_is_closed_while_it_waits_is_forgotten() {
    List<Channel> running = fill("peer");
    Channel gone = enter("peer");
    Channel next = enter("peer");

    assertThat(queue.remove("peer", gone)).isTrue();
    assertThat(queue.remove("peer", gone)).isFalse();
    queue.leave("peer", running.get(0));

    assertThat(hasBegun(gone)).isFalse();
    assertThat(hasBegun(next)).isTrue();
  }

  @Test
  void handshakes_that_take_too_long_are_closed_for_those_that_wait() {
    List<Channel> running = fill("peer");
    enter("peer");
    enter("peer");
    now = HandshakeQueue.LONGEST_MILLIS - 1;
    queue.proceed("peer");
    assertThat(closed).isEmpty();

    now++;
    queue.proceed("peer");
    assertThat(closed).containsExactly(running.get(0), running.get(1));
  }

  @Test
  void none_is_closed_if_no_other_waits() {
    fill("peer");
    now = HandshakeQueue.LONGEST_MILLIS;
    queue.proceed("peer");
    queue.proceed("stranger");

    assertThat(closed).isEmpty();
  }

  @Test
  void when_the_listener_is_closed_no_handshake_begins() {
    List<Channel> running = fill("peer");
    Channel waiting = enter("peer");

    assertThat(queue.close()).containsExactly(waiting);
    queue.leave("peer", running.get(0));

    assertThat(hasBegun(waiting)).isFalse();
  }
}
