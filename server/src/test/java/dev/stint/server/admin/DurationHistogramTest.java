package dev.stint.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class DurationHistogramTest {

  private static final long START = Long.MAX_VALUE - 5; // nanoTime may overflow

  private final DurationHistogram histogram = new DurationHistogram(START);

  @Test
  void an_upper_end_belongs_to_its_bucket() {
    histogram.record(1_000, START);
    histogram.record(1_001, START);
    histogram.record(2_500, START);
    histogram.record(100_000_000, START);
    histogram.record(100_000_001, START);

    long[] counts = histogram.counts();
    assertThat(counts[0]).isEqualTo(1);
    assertThat(counts[1]).isEqualTo(2);
    assertThat(counts[counts.length - 2]).isEqualTo(1);
    assertThat(counts[counts.length - 1]).isEqualTo(1);
    assertThat(LongStream.of(counts).sum()).isEqualTo(5);
    assertThat(histogram.sum()).isEqualTo(200_004_502);
  }

  @Test
  void the_longest_is_remembered_for_one_to_two_periods() {
    histogram.record(7_000, START);
    histogram.record(500, START + 1);
    assertThat(histogram.longest(START + DurationHistogram.PERIOD - 1)).isEqualTo(7_000);

    histogram.record(300, START + DurationHistogram.PERIOD);
    assertThat(histogram.longest(START + 2 * DurationHistogram.PERIOD - 1)).isEqualTo(7_000);
    assertThat(histogram.longest(START + 2 * DurationHistogram.PERIOD)).isEqualTo(300);
    assertThat(histogram.longest(START + 5 * DurationHistogram.PERIOD)).isZero();
  }

  @Test
  void a_late_look_does_not_prolong_what_is_remembered() {
    histogram.record(7_000, START);
    long late = START + 2 * DurationHistogram.PERIOD - 1;
    assertThat(histogram.longest(late)).isEqualTo(7_000);
    assertThat(histogram.longest(late + 1)).isZero();
  }

  @Test
  void threads_at_once_lose_nothing() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      int nanos = 500 + i;
      Thread thread =
          new Thread(
              () -> {
                for (int n = 0; n < 50_000; n++) {
                  histogram.record(nanos, START);
                }
              });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(histogram.counts()[0]).isEqualTo(200_000);
    assertThat(histogram.sum()).isEqualTo(50_000L * (500 + 501 + 502 + 503));
    assertThat(histogram.longest(START)).isEqualTo(503);
  }

  @Test
  void only_the_histogram_that_is_removed_is_no_longer_shown() {
    PrometheusRegistry registry = new PrometheusRegistry();
    DurationCollector collector = DurationCollector.register(registry, "test_seconds");
    assertThat(registry.scrape().size()).isZero();

    DurationHistogram first = collector.add("policy", "a");
    assertThat(registry.scrape().size()).isEqualTo(2);

    collector.add("policy", "a"); // a policy that came back
    collector.remove(first, "policy", "a");
    assertThat(registry.scrape().size()).isEqualTo(2);
  }
}
