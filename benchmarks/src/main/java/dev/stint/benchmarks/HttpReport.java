package dev.stint.benchmarks;

import static dev.stint.benchmarks.HttpContestant.BARE;
import static dev.stint.benchmarks.HttpContestant.BUCKET4J;
import static dev.stint.benchmarks.HttpContestant.STINT;

import dev.stint.benchmarks.HttpFigure.Round;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Says what a run over HTTP has measured: in Markdown for people, in JSON for programs. */
final class HttpReport {

  private final Environment environment;
  private final HttpFigure figure;

  HttpReport(Environment environment, HttpFigure figure) {
    this.environment = environment;
    this.figure = figure;
  }

  List<Target> targets() {
    return List.of(
        Target.atMost(
            "processor time per request, to the bare handler's",
            1.05,
            Optional.of(figure.ratio(STINT, BARE, Round::cpuMicros).median()),
            "%.3f×"),
        Target.atLeast(
            "requests per second, to Bucket4j's",
            1,
            Optional.of(figure.ratio(STINT, BUCKET4J, Round::perSecond).median()),
            "%.3f×"),
        Target.atMost(
            "processor time per request, to Bucket4j's",
            1,
            Optional.of(figure.ratio(STINT, BUCKET4J, Round::cpuMicros).median()),
            "%.3f×"));
  }

  String markdown() {
    StringBuilder text = new StringBuilder("# A servlet behind Stint, and behind its peers\n\n");
    environment.facts().forEach((k, v) -> text.append("- %s: %s%n".formatted(k, v)));
    Report.section(text, "Targets", "", Report.targets(targets()));
    Report.section(text, "Requests", "The median of the rounds (least–most).", contestants());
    Report.section(text, "Ratios", "The median of the rounds' ratios (least–most).", ratios());
    return text.toString();
  }

  private MarkdownTable contestants() {
    MarkdownTable table = new MarkdownTable("behind");
    for (HttpContestant contestant : HttpContestant.values()) {
      table
          .put(
              contestant.label(),
              "per second",
              number("%.0f", figure.of(contestant, Round::perSecond)))
          .put(
              contestant.label(),
              "p99, µs",
              number("%.0f", figure.of(contestant, Round::p99Micros)))
          .put(
              contestant.label(),
              "processor time, µs",
              number("%.2f", figure.of(contestant, Round::cpuMicros)));
    }
    return table;
  }

  private MarkdownTable ratios() {
    MarkdownTable table = new MarkdownTable("Stint to");
    for (HttpContestant peer : List.of(BARE, BUCKET4J)) {
      table
          .put(peer.label(), "per second", ratio(peer, Round::perSecond))
          .put(peer.label(), "p99", ratio(peer, Round::p99Micros))
          .put(peer.label(), "processor time", ratio(peer, Round::cpuMicros));
    }
    return table;
  }

  private String ratio(HttpContestant peer, java.util.function.ToDoubleFunction<Round> what) {
    return number("%.3f", figure.ratio(STINT, peer, what));
  }

  private static String number(String format, Spread spread) {
    return (format + " (" + format + "–" + format + ")")
        .formatted(spread.median(), spread.low(), spread.high())
        .replace(',', '.');
  }

  String json() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("environment", environment.facts());
    all.put("targets", Report.json(targets()));
    all.put("contestants", Stream.of(HttpContestant.values()).map(this::json).toList());
    return Json.write(all);
  }

  private Map<String, Object> json(HttpContestant contestant) {
    return Report.map(
        "id", contestant.name().toLowerCase(Locale.ROOT),
        "perSecond", figure.of(contestant, Round::perSecond).median(),
        "p99Micros", figure.of(contestant, Round::p99Micros).median(),
        "cpuMicros", figure.of(contestant, Round::cpuMicros).median());
  }
}
