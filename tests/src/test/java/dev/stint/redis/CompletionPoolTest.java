package dev.stint.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The threads on which futures complete. */
class CompletionPoolTest {

  @Test
  void what_blocked_threads_wait_for_is_run_although_the_pool_and_its_timer_close()
      throws InterruptedException {
    Timer timer = new Timer();
    CompletionPool pool = new CompletionPool(timer);
    int few = Math.max(2, Runtime.getRuntime().availableProcessors());
    CountDownLatch blocked = new CountDownLatch(few);
    CountDownLatch released = new CountDownLatch(few);
    CountDownLatch ended = new CountDownLatch(few);
    for (int i = 0; i < few; i++) {
      pool.execute(
          () -> {
            blocked.countDown();
            try {
              released.await();
              ended.countDown();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
    }
    assertThat(blocked.await(10, TimeUnit.SECONDS)).isTrue();
    for (int i = 0; i < few; i++) {
      pool.execute(released::countDown);
    }
    timer.close(); // before the pool can notice that all threads are blocked
    pool.close();
    assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
  }
}
