package dev.stint.studio.recommend;

import dev.stint.studio.cli.Interruption;
import dev.stint.studio.cli.Progress;
import dev.stint.studio.cli.Span;
import dev.stint.studio.findings.Findings;
import dev.stint.studio.findings.Lanes;
import dev.stint.studio.findings.PolicyYaml;
import dev.stint.studio.log.Sink;
import dev.stint.studio.log.Unreadable;
import dev.stint.studio.trial.Plan;
import dev.stint.studio.trial.Trials;
import java.math.BigDecimal;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What a log recommends, in four readings or a few more: one to survey it, some to try limits on
 * it, and one to see what those that were taken do together.
 */
final class Recommendation {

  /** So many of those who are refused are named. */
  private static final int TOP = 10;

  private final Log log;
  private final BigDecimal share;
  private final String algorithm;
  private final Interruption interruption;
  private final Supplier<Progress> progress;
  private final Survey survey = new Survey();

  Recommendation(
      Log log,
      BigDecimal share,
      String algorithm,
      Interruption interruption,
      Supplier<Progress> progress) {
    this.log = log;
    this.share = share;
    this.algorithm = algorithm;
    this.interruption = interruption;
    this.progress = progress;
  }

  /** Reads the log and finds all of it out, saying first what was recognised. */
  Findings find(String policy, Consumer<String> say) throws Unreadable {
    Findings.Source source;
    try (Log.Reading reading = log.open();
        Progress bar = progress.get()) {
      say.accept(reading.recognised());
      reading.read(survey, bar, interruption);
      source = reading.source().with(Notes.of(survey, share));
    }
    long mayNotice = survey.keys() - Percent.of(share, survey.keys());
    List<Tried> proposals =
        interruption.isWanted()
            ? List.of()
            : new Proposals(survey, algorithm, new BitSet(), mayNotice)
                .find(survey.covered(), this::again);
    Choice choice = Choice.of(proposals, lasting -> beside(lasting, mayNotice));
    List<Findings.Lane> lanes = choice.taken().isEmpty() ? List.of() : together(choice);
    return new Findings(
        "recommend",
        source.with(choice.raised(proposals).stream().toList()),
        survey.requests(),
        survey.keys(),
        survey.arrived(),
        lanes,
        survey.distributions(),
        proposals.stream().map(one -> one.proposal(survey)).toList(),
        verdict(choice),
        choice.taken().isEmpty() ? "" : PolicyYaml.inShadow(policy, choice.limits()),
        interruption.isWanted());
  }

  /** Limits over short spans, noticed by those who notice the lasting one and few others. */
  private List<Tried> beside(Tried lasting, long mayNotice) throws Unreadable {
    BitSet anyway = lasting.whom();
    return new Proposals(survey, algorithm, anyway, mayNotice - anyway.cardinality())
        .find(
            survey.covered().stream().filter(use -> use.span() < Span.MINUTE).toList(),
            this::again);
  }

  /** What the limits that were taken do, decided together as the policy will. */
  private List<Findings.Lane> together(Choice choice) throws Unreadable {
    try (Trials trials =
            new Trials(
                List.of(Plan.of(choice.limits())),
                survey.arrived().start(),
                Span.SECOND,
                List.of());
        Log.Reading reading = log.open()) {
      return readAgain(reading, trials::request)
          ? Lanes.of(trials, reading::nameOf, TOP)
          : List.of();
    }
  }

  private boolean again(Sink sink) throws Unreadable {
    try (Log.Reading reading = log.open()) {
      return readAgain(reading, sink);
    }
  }

  /** As much of the log as was surveyed, for one that is still written grows meanwhile. */
  private boolean readAgain(Log.Reading reading, Sink sink) throws Unreadable {
    long[] seen = {0};
    try (Progress bar = progress.get()) {
      reading.read(
          (micros, key, cost) -> {
            if (seen[0] < survey.requests() && key < survey.keys()) {
              seen[0]++;
              sink.request(micros, key, cost);
            }
          },
          bar,
          interruption);
    }
    if (interruption.isWanted()) {
      return false;
    }
    if (seen[0] < survey.requests()) {
      throw new Unreadable(
          "the log must stay as it is while it is read, and it had "
              + survey.requests()
              + " requests at first and "
              + seen[0]
              + " later; make a copy and read that");
    }
    return true;
  }

  private String verdict(Choice choice) {
    if (!choice.taken().isEmpty()) {
      return choice.verdict(survey, share);
    }
    return interruption.isWanted()
        ? "It was told to stop before limits could be tried, so none is proposed."
        : "The log covers "
            + Span.covered(survey.length())
            + ", too little to propose a limit: give one of a day or more.";
  }
}
