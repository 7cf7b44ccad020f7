package dev.stint.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopKeysTest {

  private static final long PERIOD = 1_000;

  private final TopKeys top = new TopKeys(3, PERIOD);

  private void note(String key, int times, long now) {
    for (int i = 0; i < times; i++) {
      top.note("api", key.getBytes(StandardCharsets.UTF_8), now);
    }
  }

  private List<String> shown(long now) {
    return top.top(now).stream()
        .map(one -> new String(one.entry().shown(), StandardCharsets.UTF_8) + " " + one.count())
        .toList();
  }

  @Test
  void lists_the_most_frequent_first_and_no_more_than_asked_for() {
    note("a", 1, 0);
    note("b", 5, 0);
    note("c", 3, 0);
    note("d", 2, 0);
    assertThat(shown(0)).containsExactly("b 5", "c 3", "d 2");
  }

  @Test
  void adds_the_last_period_to_this_one_and_forgets_what_is_older() {
    note("a", 2, 500);
    note("a", 3, 1_500);
    assertThat(shown(1_999)).containsExactly("a 5");
    assertThat(shown(2_000)).containsExactly("a 3");
    assertThat(shown(3_000)).isEmpty();
  }

  @Test
  void keeps_what_it_has_when_somebody_is_late() {
    note("a", 2, 500);
    note("a", 3, 1_000);
    note("a", 1, 999);
    assertThat(shown(998)).containsExactly("a 6");
  }

  @Test
  void forgets_everything_after_a_long_pause() {
    note("a", 2, 500);
    assertThat(shown(5_000)).isEmpty();
  }

  @Test
  void adds_up_what_threads_have_seen() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Thread thread = new Thread(() -> note("a", 1_000, 0));
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(shown(0)).containsExactly("a 8000");
  }
}
