package dev.stint.studio.replay;

import dev.stint.Limit;
import dev.stint.studio.cli.Span;
import dev.stint.studio.findings.Findings;
import dev.stint.studio.findings.Lanes;
import dev.stint.studio.findings.PolicyYaml;
import dev.stint.studio.findings.Verdict;
import dev.stint.studio.log.LogReader;
import dev.stint.studio.log.Sink;
import dev.stint.studio.trial.Plan;
import dev.stint.studio.trial.Trials;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Trials that begin with the first request that comes. */
final class Course implements Sink, AutoCloseable {

  private final List<Plan> plans;
  private final boolean inFull;
  private final int threads;
  private @Nullable Trials trials;

  /** A course of these plans; the distribution of use is taken only {@code inFull}. */
  Course(List<Plan> plans, boolean inFull, int threads) {
    this.plans = plans;
    this.inFull = inFull;
    this.threads = threads;
  }

  @Override
  public void request(long micros, int key, long cost) {
    trials(micros).request(micros, key, cost);
  }

  @Override
  public void requests(long[] micros, int[] keys, long[] costs, int size) {
    if (size > 0) {
      trials(micros[0]).requests(micros, keys, costs, size);
    }
  }

  private Trials trials(long first) {
    Trials begun = trials;
    if (begun == null) {
      long start = Math.floorDiv(first, Span.SECOND) * Span.SECOND;
      begun = new Trials(plans, start, Span.SECOND, spans(), threads);
      trials = begun;
    }
    return begun;
  }

  private List<Long> spans() {
    if (!inFull) {
      return List.of();
    }
    List<Long> spans =
        new ArrayList<>(List.of(Span.SECOND, 10 * Span.SECOND, Span.MINUTE, 60 * Span.MINUTE));
    for (Limit limit : plans.get(0).limits()) {
      if (limit.kind() != Limit.Kind.QUOTA) {
        spans.add(limit.window().toNanos() / 1000);
      }
    }
    return spans;
  }

  /** What came of it. */
  Findings findings(LogReader reader, int top, boolean interrupted) {
    Trials over = trials(0);
    List<Findings.Lane> lanes = Lanes.of(over, reader::nameOf, top);
    int keys = over.population().keys();
    return new Findings(
        "replay",
        reader.source().with(notes()),
        over.requests(),
        keys,
        over.arrivedOverTime(),
        lanes,
        over.distributions(),
        List.of(),
        Verdict.of(lanes, over.requests(), keys),
        PolicyYaml.ofClosest(lanes),
        interrupted);
  }

  private List<String> notes() {
    return plans.get(0).hasExact()
        ? List.of()
        : List.of("there is no exact log of so large a limit, so nothing is measured by one");
  }

  @Override
  public void close() {
    if (trials != null) {
      trials.close();
    }
  }
}
