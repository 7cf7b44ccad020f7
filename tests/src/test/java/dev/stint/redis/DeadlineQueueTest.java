package dev.stint.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is under way ends when it is due, whatever goes wrong. */
class DeadlineQueueTest {

  private static final Duration SOON = Duration.ofSeconds(10);

  private final Timer timer = new Timer();
  private final DeadlineQueue queue = new DeadlineQueue(timer);
  private final Queue<String> expired = new ConcurrentLinkedQueue<>();

  @AfterEach
  void close() {
    timer.close();
  }

  private final class Named extends DeadlineQueue.Entry {

    private final String name;

    Named(String name, int weight) {
      super(weight);
      this.name = name;
    }

    @Override
    void expire() {
      expired.add(name);
      queue.remove(this);
    }
  }

  private static long in(long millis) {
    return System.nanoTime() + Duration.ofMillis(millis).toNanos();
  }

  @Test
  void in_the_order_in_which_it_is_due() {
    queue.add(new Named("late", 1), in(60));
    queue.add(new Named("early", 1), in(20));
    queue.add(new Named("middle", 1), in(40));
    Eventually.within(SOON, "the end of all", () -> expired.size() == 3);
    assertThat(expired).containsExactly("early", "middle", "late");
    assertThat(queue.isEmpty()).isTrue();
    assertThat(queue.weight()).isZero();
  }

  @Test
  void unless_it_has_been_removed_before() {
    Named removed = new Named("removed", 3);
    queue.add(removed, in(20));
    queue.add(new Named("left", 2), in(20));
    assertThat(queue.weight()).isEqualTo(5);
    queue.remove(removed);
    queue.remove(removed);
    assertThat(queue.weight()).isEqualTo(2);
    Eventually.within(SOON, "the end of the other", queue::isEmpty);
    assertThat(expired).containsExactly("left");
  }

  @Test
  void and_no_more_is_let_in_than_there_is_room_for() {
    assertThat(queue.add(new Named("first", 7), in(60_000), 8)).isTrue();
    assertThat(queue.add(new Named("second", 7), in(60_000), 8)).isTrue();
    assertThat(queue.add(new Named("third", 1), in(60_000), 8)).isFalse();
    assertThat(queue.weight()).isEqualTo(14);
  }

  @Test
  void again_and_again_until_that_succeeds() {
    AtomicInteger attempts = new AtomicInteger();
    for (Error error : List.of(new StackOverflowError(), new OutOfMemoryError("simulated"))) {
      queue.add(
          new DeadlineQueue.Entry(1) {
            @Override
            void expire() {
              if (attempts.incrementAndGet() % 5 != 0) {
                throw error;
              }
              queue.remove(this);
            }
          },
          in(5));
    }
    queue.add(new Named("other", 1), in(6));
    Eventually.within(SOON, "the end of all", queue::isEmpty);
    assertThat(attempts.get()).isGreaterThanOrEqualTo(5);
    assertThat(expired).containsExactly("other");
  }

  @Test
  void although_other_tasks_of_the_timer_throw() {
    timer.add(
        now -> {
          throw new OutOfMemoryError("simulated");
        });
    queue.add(new Named("one", 1), in(20));
    Eventually.within(SOON, "the end", queue::isEmpty);
    queue.add(new Named("two", 1), in(20));
    Eventually.within(SOON, "the end", queue::isEmpty);
    assertThat(expired).containsExactly("one", "two");
  }
}
