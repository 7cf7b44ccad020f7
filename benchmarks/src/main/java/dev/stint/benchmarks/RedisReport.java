package dev.stint.benchmarks;

import static dev.stint.benchmarks.RedisContestant.STINT;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** Says what a run against Redis has measured: in Markdown for people, in JSON for programs. */
final class RedisReport {

  private final RedisResults results;
  private final List<Target> targets;

  RedisReport(RedisResults results) {
    this.results = results;
    this.targets = RedisTargets.of(results);
  }

  String markdown() {
    StringBuilder text = new StringBuilder("# Stint in Redis, and its peers\n\n");
    results.environment().facts().forEach((k, v) -> text.append("- %s: %s%n".formatted(k, v)));
    Report.section(text, "Targets", "", Report.targets(targets));
    Report.section(
        text,
        "Decisions per second",
        "Thousands: the median of the rounds (slowest–fastest). The floor is a script that does nothing.",
        speeds());
    Report.section(
        text,
        "Stint against the others",
        "How many times as many decisions: the median of the rounds' ratios (least–most).",
        ratios());
    Report.section(
        text,
        "Calls per decision",
        "Scripts + plain commands that clients sent, by INFO commandstats.",
        calls());
    Report.section(
        text,
        "Time in the server",
        "Microseconds that a decision's scripts took in Redis, by INFO commandstats.",
        serverTimes());
    Report.section(
        text,
        "Bytes per key in Redis",
        "What the server's memory grows by, tables included; and MEMORY USAGE of one.",
        bytes());
    Report.section(
        text, "A hit on a full sliding log", "Microseconds; one caller that waits.", logs());
    Report.section(text, "redis-benchmark", "The floor's script.", tool());
    return text.toString();
  }

  private MarkdownTable speeds() {
    MarkdownTable table = new MarkdownTable("k/s");
    for (RedisFigure figure : results.figures()) {
      for (RedisContestant contestant : RedisContestant.values()) {
        Spread spread = figure.perSecond(contestant);
        table.put(
            figure.scenario().label(),
            contestant.label(),
            number(
                "%.1f (%.1f–%.1f)",
                spread.median() / 1e3, spread.low() / 1e3, spread.high() / 1e3));
      }
    }
    return table;
  }

  private MarkdownTable ratios() {
    MarkdownTable table = new MarkdownTable("Stint to");
    for (RedisFigure figure : results.figures()) {
      for (RedisContestant peer : RedisContestant.values()) {
        if (peer != STINT) {
          Spread spread = figure.ratio(STINT, peer);
          table.put(
              figure.scenario().label(),
              peer.label(),
              number("%.2f× (%.2f–%.2f)", spread.median(), spread.low(), spread.high()));
        }
      }
    }
    return table;
  }

  private MarkdownTable calls() {
    MarkdownTable table = new MarkdownTable("calls");
    for (RedisFigure figure : results.figures()) {
      for (RedisContestant contestant : RedisContestant.values()) {
        double plain = figure.plainCalls(contestant);
        double scripts = figure.scripts(contestant);
        table.put(
            figure.scenario().label(),
            contestant.label(),
            plain == 0 ? number("%.2f", scripts) : number("%.2f + %.2f", scripts, plain));
      }
    }
    return table;
  }

  private MarkdownTable serverTimes() {
    MarkdownTable table = new MarkdownTable("µs");
    for (RedisFigure figure : results.figures()) {
      for (RedisContestant contestant : RedisContestant.values()) {
        table.put(
            figure.scenario().label(),
            contestant.label(),
            number("%.1f", figure.serverMicros(contestant)));
      }
    }
    return table;
  }

  private MarkdownTable bytes() {
    MarkdownTable table = new MarkdownTable("B/key");
    for (RedisBytes one : results.bytes()) {
      table
          .put(one.row(), "keys", number("%,d", one.keys()))
          .put(one.row(), "of the server's memory", number("%.1f", one.perKey()))
          .put(one.row(), "MEMORY USAGE", Long.toString(one.usage()));
    }
    return table;
  }

  private MarkdownTable logs() {
    MarkdownTable table = new MarkdownTable("log of");
    for (RedisLogs one : results.logs()) {
      String row = number("%,d", one.amount());
      table.put(row, "in the server", micros(one.server()));
      table.put(row, "for the caller", micros(one.caller()));
    }
    return table;
  }

  private static String micros(Spread spread) {
    return number("%.1f (%.1f–%.1f)", spread.median(), spread.low(), spread.high());
  }

  private MarkdownTable tool() {
    MarkdownTable table = new MarkdownTable("connections");
    for (RedisBenchmarkTool one : results.tool()) {
      table.put(Integer.toString(one.connections()), "k/s", number("%.1f", one.perSecond() / 1e3));
    }
    return table;
  }

  private static String number(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  String json() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("environment", results.environment().facts());
    all.put("targets", Report.json(targets));
    all.put("figures", results.figures().stream().flatMap(RedisReport::figures).toList());
    all.put(
        "bytes",
        results.bytes().stream()
            .map(
                one ->
                    Report.map(
                        "row", one.row(),
                        "keys", one.keys(),
                        "bytesPerKey", one.perKey(),
                        "memoryUsage", one.usage()))
            .toList());
    all.put(
        "logs",
        results.logs().stream()
            .map(
                one ->
                    Report.map(
                        "amount", one.amount(),
                        "serverMicros", one.server().median(),
                        "callerMicros", one.caller().median()))
            .toList());
    all.put(
        "redisBenchmark",
        results.tool().stream()
            .map(one -> Report.map("connections", one.connections(), "perSecond", one.perSecond()))
            .toList());
    return Json.write(all);
  }

  private static Stream<Map<String, Object>> figures(RedisFigure figure) {
    return Stream.of(RedisContestant.values())
        .map(
            contestant -> {
              Spread spread = figure.perSecond(contestant);
              return Report.map(
                  "id", figure.scenario().id() + "/" + contestant.slug(),
                  "perSecond", spread.median(),
                  "slowestRound", spread.low(),
                  "fastestRound", spread.high(),
                  "stintToThis", figure.ratio(STINT, contestant).median(),
                  "scriptsPerDecision", figure.scripts(contestant),
                  "plainCallsPerDecision", figure.plainCalls(contestant),
                  "serverMicrosPerDecision", figure.serverMicros(contestant));
            });
  }
}
