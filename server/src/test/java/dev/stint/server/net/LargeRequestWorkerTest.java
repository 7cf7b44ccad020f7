package dev.stint.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Work of connections on a thread beside the event loops, in virtual time. */
class LargeRequestWorkerTest {

  private static final long MICRO = 1_000;

  private final List<String> ran = new ArrayList<>();
  private final Queue<Runnable> thread = new ArrayDeque<>();
  private long now;
  private final LargeRequestWorker worker = new LargeRequestWorker(() -> now, thread::add);

  /** A request of so many pieces of 100 µs each. */
  private void request(String connection, int pieces) {
    worker.later(
        connection,
        () -> {
          now += 100 * MICRO;
          ran.add(connection);
          if (pieces > 1) {
            request(connection, pieces - 1);
          }
        });
  }

  private void runAll() {
    for (Runnable next = thread.poll(); next != null; next = thread.poll()) {
      next.run();
    }
  }

  @Test
  void nothing_runs_on_the_thread_of_the_caller() {
    request("a", 1);
    assertThat(ran).isEmpty();
    runAll();
    assertThat(ran).containsExactly("a");
  }

  @Test
  void a_request_waits_for_a_turn_of_each_other_connection_and_not_for_their_requests() {
    request("a", 1000);
    request("b", 1000);
    request("c", 1);
    runAll();
    assertThat(ran.indexOf("c")).isEqualTo(6);
  }

  @Test
  void connections_have_equal_shares_however_many_requests_they_send() {
    for (int i = 0; i < 10; i++) {
      request("many", 20);
    }
    request("one", 20);
    runAll();
    List<String> untilOneIsDone = ran.subList(0, ran.lastIndexOf("one"));
    assertThat(untilOneIsDone.stream().filter("many"::equals).count()).isEqualTo(21);
  }

  @Test
  void a_result_comes_when_the_turn_has_come() {
    CompletableFuture<String> result =
        worker.call("a", () -> CompletableFuture.completedFuture("done"));
    assertThat(result).isNotDone();
    runAll();
    assertThat(result).isCompletedWithValue("done");
  }

  @Test
  void work_that_throws_fails_its_result_and_stops_no_other() {
    CompletableFuture<String> result =
        worker.call(
            "a",
            () -> {
              throw new IllegalStateException("broken");
            });
    request("a", 1);
    runAll();
    assertThat(result).isCompletedExceptionally();
    assertThat(ran).containsExactly("a");
  }

  @Test
  void half_of_the_processors_have_a_worker_and_one_at_least() throws InterruptedException {
    assertThat(threadsOf(new LargeRequestWorkers(1))).hasSize(1);
    assertThat(threadsOf(new LargeRequestWorkers(2))).hasSize(1);
    assertThat(threadsOf(new LargeRequestWorkers(8))).hasSize(4);
  }

  private static Set<Thread> threadsOf(LargeRequestWorkers workers) throws InterruptedException {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    CountDownLatch left = new CountDownLatch(100);
    for (int i = 0; i < 100; i++) {
      workers
          .next()
          .later(
              "a",
              () -> {
                threads.add(Thread.currentThread());
                left.countDown();
              });
    }
    assertThat(left.await(10, TimeUnit.SECONDS)).isTrue();
    return threads;
  }
}
