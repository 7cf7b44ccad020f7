package dev.stint.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.KeyedLimit;
import dev.stint.Limit;
import dev.stint.algorithm.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The calls that wait for a server, and the order in which they are sent. */
class CallQueueTest {

  private static final Limit LIMIT = Limit.parse("10/second");
  private static final PlaceNames NAMES = new PlaceNames("stint:");

  private final CallQueue queue = new CallQueue(4, 2);
  private final Breaker breaker = new Breaker(queue, NoFunctions.AT_ALL, () -> "tag", opened -> {});

  private PendingCall add(int lane, int places) {
    PendingCall call = call(lane, places);
    queue.add(call);
    return call;
  }

  private PendingCall call(int lane, int places) {
    return call(PendingCall.Kind.DECISION, lane, places);
  }

  private PendingCall call(PendingCall.Kind kind, int lane, int places) {
    List<KeyedLimit> limits = IntStream.range(0, places).mapToObj(i -> LIMIT.on("k" + i)).toList();
    Question question = Question.of(Operation.HIT, limits, NAMES);
    return new PendingCall(kind, question, breaker, null, 0, lane);
  }

  private Batch fill() {
    Batch batch = new Batch(breaker, null, 64);
    assertThat(queue.fill(batch)).isTrue();
    return batch;
  }

  private void assertNothingToSend() {
    assertThat(queue.fill(new Batch(breaker, null, 64))).isFalse();
  }

  @Test
  void of_one_lane_leave_in_their_order_as_many_as_may_travel_together() {
    List<PendingCall> calls = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      calls.add(add(1, 1));
    }
    assertThat(fill().calls()).isEqualTo(calls.subList(0, 4));
    assertThat(fill().calls()).isEqualTo(calls.subList(4, 6));
  }

  @Test
  void a_charge_that_is_to_be_given_back_is_not_dropped_to_make_room() {
    add(1, 1);
    PendingCall newest = add(1, 1);
    queue.add(call(PendingCall.Kind.UNDO, 1, 1));
    assertThat(queue.evictFor(call(2, 1))).isSameAs(newest);
  }

  @Test
  void of_a_call_that_is_taken_out_to_be_sent_the_queue_says_so() {
    PendingCall call = add(1, 1);
    PendingCall other = add(2, 1);
    assertThat(queue.withdraw(other)).isTrue();
    fill();
    assertThat(queue.withdraw(call)).isFalse();
    assertThat(queue.withdraw(other)).isFalse();
  }

  @Test
  void are_sent_only_while_few_batches_are_under_way() {
    for (int i = 0; i < 12; i++) {
      add(1, 1);
    }
    Batch first = fill();
    fill();
    assertNothingToSend();
    assertThat(queue.isReady()).isFalse();
    queue.release(first);
    queue.release(first);
    fill();
    assertNothingToSend();
  }

  @Test
  void of_another_lane_do_not_wait_behind_a_burst() {
    for (int i = 0; i < 1000; i++) {
      add(1, 1);
    }
    fill();
    PendingCall other = add(2, 1);
    assertThat(fill().calls()).contains(other);
  }

  @Test
  void of_another_lane_do_not_wait_behind_calls_of_a_hundred_places() {
    for (int i = 0; i < 10; i++) {
      add(1, 100);
      add(2, 100);
    }
    fill();
    PendingCall other = add(3, 2);
    assertThat(fill().calls().get(0)).isSameAs(other);
  }

  @Test
  void that_are_large_travel_alone_and_one_at_a_time() {
    PendingCall large = add(1, 129);
    PendingCall next = add(2, 129);
    PendingCall small = add(3, 1);
    Batch smalls = fill();
    assertThat(smalls.calls()).containsExactly(small);
    Batch first = fill();
    assertThat(first.calls()).hasSize(1).isSubsetOf(large, next);
    queue.release(smalls);
    assertNothingToSend();
    queue.abandon(first);
    assertNothingToSend();
    PendingCall later = add(3, 1);
    assertThat(fill().calls()).containsExactly(later);
    queue.release(first);
    assertThat(fill().calls()).hasSize(1).isSubsetOf(large, next).isNotEqualTo(first.calls());
  }

  @Test
  void that_are_large_get_their_share_among_small_ones() {
    PendingCall large = add(1, 200);
    int before = 0;
    for (; ; ) {
      add(2, 1);
      add(2, 1);
      Batch batch = fill();
      queue.release(batch);
      if (batch.calls().contains(large)) {
        break;
      }
      before += batch.size();
    }
    assertThat(before).isBetween(190, 210);
  }

  @Test
  void that_have_ended_are_not_sent() {
    PendingCall removed = add(1, 1);
    PendingCall ended = add(1, 1);
    PendingCall last = add(1, 1);
    queue.remove(removed);
    queue.remove(removed);
    ended.result().cancel(false);
    assertThat(fill().calls()).containsExactly(last);
    assertNothingToSend();
    assertThat(queue.isReady()).isFalse();
  }

  @Test
  void make_room_where_most_are_waiting() {
    List<PendingCall> many = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      many.add(add(1, 1));
    }
    add(2, 1);
    assertThat(queue.evictFor(call(1, 1))).isNull();
    assertThat(queue.evictFor(call(2, 1))).isSameAs(many.get(4));
    assertThat(queue.evictFor(call(3, 1))).isSameAs(many.get(3));
    assertThat(queue.evictFor(call(4, 100))).isNull();
    assertThat(fill().calls()).hasSize(4);
    assertNothingToSend();
  }
}
