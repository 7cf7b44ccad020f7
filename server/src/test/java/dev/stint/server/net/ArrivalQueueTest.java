package dev.stint.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.server.net.ArrivalQueue.Arrival;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ArrivalQueueTest {

  private final ArrivalQueue<String> queue = new ArrivalQueue<>(5);

  private String add(String peer, String connection) {
    Arrival<String> surplus = queue.add(new Arrival<>(peer, connection, 0));
    return surplus == null ? "" : surplus.connection();
  }

  private List<String> removeAll() {
    List<String> order = new ArrayList<>();
    while (!queue.isEmpty()) {
      order.add(Objects.requireNonNull(queue.next()).connection());
      queue.remove();
    }
    return order;
  }

  @Test
  void connections_of_one_peer_keep_their_order() {
    add("a", "a1");
    add("a", "a2");
    add("a", "a3");
    assertThat(removeAll()).containsExactly("a1", "a2", "a3");
    assertThat(queue.next()).isNull();
  }

  @Test
  void peers_take_turns() {
    add("a", "a1");
    add("a", "a2");
    add("a", "a3");
    add("b", "b1");
    assertThat(removeAll()).containsExactly("a1", "b1", "a2", "a3");
  }

  @Test
  void when_it_is_full_the_peer_with_the_most_gives_its_oldest() {
    assertThat(add("b", "b1")).isEmpty();
    for (int i = 1; i <= 4; i++) {
      assertThat(add("a", "a" + i)).isEmpty();
    }
    assertThat(add("c", "c1")).isEqualTo("a1");
    assertThat(removeAll()).containsExactly("b1", "a2", "c1", "a3", "a4");
  }
}
