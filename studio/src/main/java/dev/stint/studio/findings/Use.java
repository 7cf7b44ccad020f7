package dev.stint.studio.findings;

import dev.stint.studio.cli.Span;
import dev.stint.studio.trial.Distribution;
import java.util.List;
import java.util.Map;

/** How much clients use, as a table: of everybody's busiest span the usual, the rare, the most. */
final class Use {

  private Use() {}

  static List<String> lines(List<Distribution> distributions, int width) {
    Table table = new Table(6);
    table.row("busiest span", "p50", "p90", "p99", "p99.9", "most");
    for (Distribution use : distributions) {
      Map<Integer, Long> peaks = use.peaks();
      table.row(
          Span.exactly(use.span()),
          percentile(peaks, 500),
          percentile(peaks, 900),
          percentile(peaks, 990),
          percentile(peaks, 999),
          percentile(peaks, 1000));
    }
    return table.lines(width);
  }

  /** The least that so many of a thousand clients never exceed. */
  static long percentile(Map<Integer, Long> peaks, int ofThousand) {
    long all = peaks.values().stream().mapToLong(Long::longValue).sum();
    long seen = 0;
    for (Map.Entry<Integer, Long> peak : peaks.entrySet()) {
      seen += peak.getValue();
      if (seen * 1000 >= all * ofThousand) {
        return peak.getKey();
      }
    }
    return 0;
  }
}
