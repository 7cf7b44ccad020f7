package dev.stint.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stint.Decision;
import dev.stint.Limit;
import dev.stint.RateLimiter;
import dev.stint.Store;
import dev.stint.docs.Page.Block;
import dev.stint.memory.MemoryStore;
import dev.stint.testkit.ManualTime;
import dev.stint.testkit.StallingTime;
import dev.stint.testkit.Timeline;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The examples of docs/testing.md, run. */
class TestingPageTest {

  @Test
  void every_example_of_the_page_is_run() throws Exception {
    Path folder = Path.of("src/test/java/dev/stint/docs");
    String sources =
        Files.readString(folder.resolve("TestingPageTest.java"))
            + Files.readString(folder.resolve("CountingStoreTest.java"));
    Page page = Page.of("docs/testing.md");
    assertThat(page.blocks("java")).hasSize(7);
    for (Block block : page.blocks("java")) {
      assertThat(squeezed(sources)).as(page.place(block)).contains(squeezed(block.text()));
    }
  }

  /** Without white space, which the formatter arranges. */
  private static String squeezed(String text) {
    return text.replaceAll("\\s+", "");
  }

  @Test
  void an_hour_passes_at_a_word() {
    ManualTime time = ManualTime.create();
    MemoryStore store = MemoryStore.builder().time(time).build();
    RateLimiter limiter = RateLimiter.of(store, Limit.parse("2/hour"));

    assertThat(limiter.hit("alice", 2).allowed()).isTrue();
    assertThat(limiter.hit("alice").retryAfter()).isEqualTo(Duration.ofMinutes(30));

    time.advance(Duration.ofMinutes(30).minusNanos(1000)); // a microsecond early
    assertThat(limiter.hit("alice").allowed()).isFalse();

    time.advanceMicros(1);
    assertThat(limiter.hit("alice").allowed()).isTrue();
  }

  @Test
  void a_hit_with_an_old_reading_frees_nothing() {
    ManualTime time = ManualTime.create();
    StallingTime stalling = StallingTime.of(time);
    Store store = MemoryStore.builder().time(stalling).build();
    RateLimiter limiter = RateLimiter.of(store, Limit.parse("5/second"));

    stalling.stallReading(
        1,
        () -> {
          time.advance(Duration.ofMinutes(5));
          limiter.hit("user:42", 5);
        });
    limiter.hit("user:42"); // its reading is five minutes old
    assertThat(limiter.hit("user:42").allowed()).isFalse();
  }

  @Test
  void a_lone_thread_waits_on_a_clock_that_advances_itself() throws Exception {
    ManualTime time = ManualTime.selfAdvancing();
    MemoryStore store = MemoryStore.builder().time(time).build();
    RateLimiter limiter = RateLimiter.of(store, Limit.parse("1/second"));
    Instant start = time.now();

    for (int i = 0; i < 4; i++) {
      limiter.acquire("mail", Duration.ofSeconds(1));
    }

    assertThat(Duration.between(start, time.now())).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void a_test_knows_when_another_thread_waits() throws Exception {
    ManualTime time = ManualTime.create();
    MemoryStore store = MemoryStore.builder().time(time).build();
    RateLimiter limiter = RateLimiter.of(store, Limit.parse("1/second"));
    limiter.hit("mail");

    CompletableFuture<Decision> waiting =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return limiter.acquire("mail", Duration.ofSeconds(5));
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    time.awaitSleepers(1);
    time.advance(Duration.ofSeconds(1));

    assertThat(waiting.join().allowed()).isTrue();
  }

  @Test
  void a_store_is_held_to_a_timeline() {
    ManualTime time = ManualTime.create();
    MemoryStore store = MemoryStore.builder().time(time).build();
    Timeline timeline =
        Timeline.parse("limit: 5/second \n 0ms hit 4 → allowed, 1 left  0ms hit 2 → denied");
    timeline.replay(store, time);
    assertThat(store.keys()).isEqualTo(1);
  }

  @Test
  void a_limiter_is_held_to_a_file_of_timelines() {
    ManualTime time = ManualTime.create();
    MemoryStore store = MemoryStore.builder().time(time).build();
    RateLimiter limiter =
        RateLimiter.of(store, Limit.parse("10/second"), Limit.parse("100/day fixed-window"));
    for (Timeline scene : Timeline.load(getClass(), "api.timeline")) {
      scene.replay(limiter, time);
    }
    assertThat(limiter.get("carol")).isEqualTo(100);
  }
}
