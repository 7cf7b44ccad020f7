package dev.stint.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ServerCall;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DelayedListenerTest {

  /** Not safe for use by many threads: who loses or reorders anything is seen. */
  private static final class Notes extends ServerCall.Listener<Integer> {
    final List<Object> seen = new ArrayList<>();

    @Override
    public void onMessage(Integer message) {
      if (message < 0) {
        throw new IllegalArgumentException("negative: " + message);
      }
      seen.add(message);
    }

    @Override
    public void onHalfClose() {
      seen.add("half-closed");
    }

    @Override
    public void onReady() {
      seen.add("ready");
    }

    @Override
    public void onCancel() {
      seen.add("cancelled");
    }

    @Override
    public void onComplete() {
      seen.add("complete");
    }
  }

  private final DelayedListener<Integer> delayed = new DelayedListener<>();
  private final Notes notes = new Notes();
  private final List<Throwable> failures = new ArrayList<>();

  @Test
  void everything_comes_in_order() {
    delayed.onReady();
    delayed.onMessage(1);
    delayed.onHalfClose();
    assertThat(delayed.begin()).isTrue();
    delayed.onComplete();
    delayed.open(notes, failures::add);
    delayed.onReady();
    assertThat(notes.seen).containsExactly("ready", 1, "half-closed", "complete", "ready");
  }

  @Test
  void a_call_that_has_ended_does_not_begin() {
    delayed.onMessage(1);
    delayed.onCancel();
    assertThat(delayed.begin()).isFalse();
  }

  @Test
  void a_call_that_ends_after_it_has_begun_tells_so() {
    assertThat(delayed.begin()).isTrue();
    delayed.onCancel();
    delayed.open(notes, failures::add);
    assertThat(notes.seen).containsExactly("cancelled");
  }

  @Test
  void a_failure_is_told_and_the_rest_still_comes() {
    delayed.onMessage(-1);
    delayed.begin();
    delayed.onCancel();
    delayed.open(notes, failures::add);
    assertThat(failures).singleElement().hasToString(failure("negative: -1"));
    assertThat(notes.seen).containsExactly("cancelled");
  }

  private static String failure(String message) {
    return new IllegalArgumentException(message).toString();
  }

  @Test
  void nothing_is_lost_or_overtaken_while_it_opens() throws Exception {
    int messages = 1000;
    for (int round = 0; round < 200; round++) {
      DelayedListener<Integer> listener = new DelayedListener<>();
      Notes seen = new Notes();
      CountDownLatch half = new CountDownLatch(1);
      Thread opener =
          new Thread(
              () -> {
                awaitQuietly(half);
                listener.begin();
                listener.open(seen, failures::add);
              });
      opener.start();
      for (int i = 0; i < messages; i++) {
        listener.onMessage(i);
        if (i == round * 4) {
          half.countDown();
        }
      }
      opener.join(TimeUnit.SECONDS.toMillis(10));
      assertThat(seen.seen).isEqualTo(IntStream.range(0, messages).boxed().toList());
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
