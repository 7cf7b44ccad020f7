package dev.stint.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class HeadTest {

  private static final int HEADERS = 8192;
  private static final int PORTION = 16 << 10;

  private final ByteBudget all = new ByteBudget(100 << 20, 100 << 20, 0, () -> 0, () -> {});
  private final Connections listener = new Connections(1, 1000, Duration.ofSeconds(60), HEADERS);
  private final ConnectionBudget budget = new ConnectionBudget(all, listener, 0, "peer", () -> {});
  private final Head head = budget.head();

  private void read(int bytes) {
    assertThat(head.admit(bytes)).isTrue();
  }

  private void decoded() {
    assertThat(head.settle()).isTrue();
  }

  @Test
  void framing_does_not_add_up_over_the_requests_of_a_connection() {
    for (int i = 0; i < 10_000; i++) {
      read(4022); // of which encryption takes 22
      head.consumed(4000);
      head.complete();
      decoded();
      assertThat(budget.held()).isZero();
    }
  }

  @Test
  void larger_framing_stays_within_the_last_portion() {
    for (int i = 0; i < 10_000; i++) {
      read(600);
      head.consumed(500);
      head.complete();
      decoded();
    }
    assertThat(head.received()).isLessThanOrEqualTo(600);
  }

  @Test
  void the_beginning_of_a_request_behind_a_body_is_counted() {
    read(299);
    head.consumed(200); // a head, and its body but for one byte
    head.consumed(99);
    decoded();
    read(PORTION / 2 + 1);
    assertThat(budget.held()).as("before it is decoded").isGreaterThan(PORTION / 2 * 40L);
    head.consumed(1);
    head.complete();
    decoded();
    assertThat(budget.held()).isEqualTo(PORTION / 2 * 40L);
  }

  @Test
  void trailers_that_do_not_end_are_counted_as_long_as_the_decoder_keeps_them() {
    read(PORTION);
    head.consumed(200); // the head; the rest are trailers
    decoded();
    assertThat(budget.held()).isEqualTo((PORTION - 200) * 40L);
    for (int i = 0; i < 100; i++) {
      read(2048);
      decoded();
    }
    assertThat(budget.held()).isEqualTo(2 * HEADERS * 40L);
  }

  @Test
  void a_body_leaves_nothing_behind() {
    read(PORTION);
    head.consumed(200);
    head.consumed(PORTION - 200);
    decoded();
    for (int i = 0; i < 50; i++) {
      read(PORTION);
      head.consumed(PORTION);
      decoded();
      assertThat(budget.held()).isZero();
    }
    head.complete();
    decoded();
    assertThat(budget.held()).isZero();
  }
}
