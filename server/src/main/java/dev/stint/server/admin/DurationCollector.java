package dev.stint.server.admin;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Shows histograms to Prometheus, as one metric with a series of buckets for each of them. */
final class DurationCollector implements MultiCollector {

  private static final double NANOS_PER_SECOND = 1e9;
  private static final double[] SECONDS = seconds();

  private final String name;
  private final Map<Labels, DurationHistogram> histograms = new ConcurrentHashMap<>();

  private DurationCollector(String name) {
    this.name = name;
  }

  /**
   * A metric without any series yet.
   *
   * @param name as Prometheus has it, with the unit
   */
  static DurationCollector register(PrometheusRegistry registry, String name) {
    DurationCollector collector = new DurationCollector(name);
    registry.register(collector);
    return collector;
  }

  private static double[] seconds() {
    double[] micros = DurationHistogram.ends();
    double[] seconds = new double[micros.length + 1];
    for (int i = 0; i < micros.length; i++) {
      seconds[i] = micros[i] / 1e6;
    }
    seconds[micros.length] = Double.POSITIVE_INFINITY;
    return seconds;
  }

  /** A histogram with these labels, in pairs. */
  DurationHistogram add(String... labels) {
    DurationHistogram histogram = new DurationHistogram(System.nanoTime());
    histograms.put(Labels.of(labels), histogram);
    return histogram;
  }

  void remove(DurationHistogram histogram, String... labels) {
    histograms.remove(Labels.of(labels), histogram);
  }

  @Override
  public MetricSnapshots collect() {
    long now = System.nanoTime();
    HistogramSnapshot.Builder all =
        HistogramSnapshot.builder().name(name).help("How long decisions took.");
    GaugeSnapshot.Builder longest =
        GaugeSnapshot.builder().name(name + "_max").help("How long decisions took.");
    histograms.forEach(
        (labels, histogram) -> {
          all.dataPoint(
              HistogramDataPointSnapshot.builder()
                  .labels(labels)
                  .classicHistogramBuckets(ClassicHistogramBuckets.of(SECONDS, histogram.counts()))
                  .sum(histogram.sum() / NANOS_PER_SECOND)
                  .build());
          longest.dataPoint(
              GaugeDataPointSnapshot.builder()
                  .labels(labels)
                  .value(histogram.longest(now) / NANOS_PER_SECOND)
                  .build());
        });
    return histograms.isEmpty()
        ? MetricSnapshots.of()
        : MetricSnapshots.of(all.build(), longest.build());
  }
}
